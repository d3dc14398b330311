import { limits } from '../limits/domain-limits.ts';
import type { RewordingInput } from '../types/planner.ts';
import type { Subtask } from '../types/subtask.ts';
import { escapeXml } from '../text/text.ts';
import { diagnosisRequest } from './diagnosis.ts';

/** Builds the request: the subtask, its failures, and the text that the person sees so far. */
export const rewordingRequest = (
  definition: Subtask,
  { failures, problem }: Pick<RewordingInput, 'failures' | 'problem'>,
): string =>
  [
    diagnosisRequest(definition, failures.slice(-limits.phrase.failures)),
    `<current_text>\n${escapeXml(problem)}\n</current_text>`,
  ].join('\n\n');
