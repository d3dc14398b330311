import { isTable } from '../input/is-table.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine } from '../text/text.ts';
import {
  criterionKeys,
  listFields,
  findFirst,
  flatKey,
  messageKeys,
  pathKeys,
  type AnswerFields,
} from './answer-fields.ts';
import type { ReadIssue } from './reading.ts';
import { normalisePhrase, parseVerdictWord } from './verdict-words.ts';

export function readIssues(value: unknown, criteria: readonly string[]): ReadIssue[] {
  if (typeof value === 'string') return issuesFromText(value);
  if (Array.isArray(value))
    return value.flatMap((each) =>
      isTable(each) ? (readIssue(listFields(each), criteria) ?? []) : issuesFromText(each),
    );
  if (!isTable(value)) return [];
  const fields = listFields(value);
  const single = readIssue(fields, criteria);
  return single === undefined ? fields.flatMap(([, each]) => issuesFromText(each)) : [single];
}

export function readIssue(fields: AnswerFields, criteria: readonly string[]): ReadIssue | undefined {
  const message = readAnswerText(findFirst(fields, messageKeys));
  const criterion = findCriterion(findFirst(fields, criterionKeys), criteria);
  const path = findFirst(fields, pathKeys);
  const text = message === '' && criterion !== undefined ? `Criterion ${criterion} is not met.` : message;
  if (text === '') return undefined;
  return {
    message: clip(oneLine(text), limits.judge.issue),
    ...(criterion === undefined ? {} : { criterion }),
    ...(typeof path === 'string' && path.trim() !== '' ? { path: clip(oneLine(path), limits.judge.path) } : {}),
  };
}

/** Finds a criterion by its number or its text. */
export function findCriterion(value: unknown, criteria: readonly string[]): number | undefined {
  const plain = typeof value === 'string' ? normalisePhrase(value) : '';
  const digits = /^(?:c|criterion|criteria|no)? ?(\d{1,3})$/.exec(plain)?.[1];
  const number = typeof value === 'number' ? value : digits === undefined ? undefined : Number(digits);
  if (number !== undefined)
    return Number.isInteger(number) && number >= 1 && number <= criteria.length ? number : undefined;
  const at = plain === '' ? -1 : criteria.findIndex((text) => normalisePhrase(text) === plain);
  return at === -1 ? undefined : at + 1;
}

/** Ways to write that there are no issues. */
const nothing = new Set('none|no|no issues|nothing|n a|na|null|no problems|no issues found|none found'.split('|'));

export function issuesFromText(value: unknown): ReadIssue[] {
  const text = readAnswerText(value);
  return text === '' || nothing.has(normalisePhrase(text))
    ? []
    : [{ message: clip(oneLine(text), limits.judge.issue) }];
}

export function readAnswerText(value: unknown): string {
  if (typeof value === 'string') return clip(value.trim(), limits.judge.feedback);
  if (!Array.isArray(value)) return '';
  const texts = value.filter((each): each is string => typeof each === 'string' && each.trim() !== '');
  return clip(texts.map((each) => each.trim()).join('\n'), limits.judge.feedback);
}

const severityKeys = ['severity', 'level', 'priority', 'impact', 'type', 'kind', 'class', 'weight'].map(flatKey);
const graveValue =
  /^(?:major|critical|block(?:ing|er)|hard|severe|fatal|serious|high|show ?stopper|must fix|p0|sev(?:erity)? ?[01]|error$)\b/u;

const grave = '(?:major|critical|block(?:ing|er)|severe|fatal|serious)';
const noun = '(?:issue|problem|defect|flaw|bug|error|concern|gap|violation|failure|finding|fault|omission|mistake)s?';
/** Capitals in front of a sentence are a label too: `CRITICAL the section is missing`. */
const graveLabel = /^[\s[(*_#-]{0,6}(?:MAJOR|CRITICAL|BLOCKING|BLOCKER|SEVERE|FATAL|SERIOUS|HARD)\b(?![-.])/u;
/** The forms in which a sentence names the weight of what it says: as a label, before such a noun, or as what it is. */
const graveText = new RegExp(
  `^[\\s[(*_#-]{0,6}(?:${grave}|hard)[\\s*_]{0,4}(?:[:\\])–—]|- )|\\bseverity\\W{1,4}(?:${grave}|hard|high)\\b|` +
    `(?<!\\b(?:not|no|non|never)(?: an?)?[ -])\\b${grave} ${noun}\\b|` +
    `\\bhard (?:failure|violation|requirement|invariant|error)s?\\b|\\b(?:is|are)(?: an?)? (?:${grave})(?=[.,;!]|$)|` +
    `[[(](?:${grave}|hard)[\\])]`,
  'iu',
);

const unmet = '(?:unmet|(?:not|never)(?: \\p{L}{1,12})? (?:met|satisfied|fulfilled)|violated|failed|failing)';
/** `Criterion 2 is not met`, `does not satisfy the second requirement`. */
const unmetText = new RegExp(
  `(?<!\\b(?:no|none of the) )\\b(?:criteri(?:on|a)|requirements?)\\b(?: #?\\d{1,3})? (?:is|are|was|were|remains?)(?: \\p{L}{1,12})? ${unmet}\\b|` +
    `(?:\\bnot|n['’]t)(?: \\p{L}{1,12})? (?:meet|satisfy|fulfill?)\\b[^.]{0,40}\\b(?:criteri(?:on|a)|requirements?)\\b`,
  'iu',
);

/** Recognises a text that says that a criterion is not met. */
export const namesUnmetCriterion = (text: string): boolean => unmetText.test(text.slice(0, limits.judge.feedback));

const isGraveText = (text: string): boolean =>
  graveLabel.test(text) || graveText.test(text.slice(0, limits.judge.feedback)) || namesUnmetCriterion(text);

/** `criticalIssues`, `blockers`, `critical` in a table of issues: whatever is listed there calls itself grave. */
const graveKey =
  /^(?:is|has)?(?:critical|major|blocking|hard|severe|fatal|serious)(?:issues?|problems?|findings?|concerns?|defects?|errors?|failures?|violations?)?$|^(?:is|has)?blockers?$/u;

/** True where fields list an issue under a key that calls it grave. */
export const listsGraveIssue = (fields: AnswerFields): boolean =>
  fields.some(([key, value]) => graveKey.test(key) && isListed(value));

/** The issues that are listed there. */
export const graveIssues = (fields: AnswerFields, criteria: readonly string[]): ReadIssue[] =>
  fields.flatMap(([key, value]) => (graveKey.test(key) && isListed(value) ? readIssues(value, criteria) : []));

function isListed(value: unknown): boolean {
  if (typeof value === 'number') return value > 0;
  if (Array.isArray(value)) return value.some((each) => isTable(each) || issuesFromText(each).length > 0);
  if (isTable(value)) return Object.keys(value).length > 0;
  return value === true || (parseVerdictWord(value) !== 'fail' && issuesFromText(value).length > 0);
}

/** True where fields have a severity that is grave. */
export const namesGrave = (fields: AnswerFields): boolean =>
  fields.some(
    ([key, value]) =>
      typeof value === 'string' && severityKeys.includes(key) && graveValue.test(normalisePhrase(value)),
  );

/** Recognises an issue that is called major, critical, blocking or hard, or says that a criterion is not met: no result with it passes. */
export function isGraveIssue(issue: unknown): boolean {
  if (typeof issue === 'string') return isGraveText(issue);
  if (!isTable(issue)) return false;
  const fields = listFields(issue);
  return (
    namesGrave(fields) ||
    listsGraveIssue(fields) ||
    fields.some(([, value]) => typeof value === 'string' && isGraveText(value))
  );
}
