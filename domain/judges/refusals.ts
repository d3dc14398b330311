import { criterionKeys, feedbackKeys, messageKeys, passedKeys, scoreKeys, type AnswerFields } from './answer-fields.ts';
import { refusesWhole } from './verdict-words.ts';

/** Recognises an answer that names the verdict and leaves it open: `{"passed": null}`. */
export const isWithheld = (fields: AnswerFields): boolean =>
  fields.some(([key, value]) => passedKeys.has(key) && value === null);

/** Recognises a yes whose reason or advice is a no: `"reason": "FAIL: no section"`, `"recommendation": "do not merge"`. */
export const takesBack = (fields: AnswerFields): boolean =>
  fields.some(([key, value]) => feedbackKeys.includes(key) && typeof value === 'string' && refusesWhole(value));

/** Recognises a zero as the score of a criterion, and a remark that is a no: `not satisfied`. */
export const isRefusedUnder = (key: string, value: unknown): boolean =>
  (scoreKeys.has(key) && value === 0) ||
  (typeof value === 'string' && !criterionKeys.includes(key) && messageKeys.includes(key) && refusesWhole(value));
