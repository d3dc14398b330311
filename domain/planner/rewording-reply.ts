import { limits } from '../limits/domain-limits.ts';
import type { RewordingInput } from '../types/planner.ts';
import type { Subtask } from '../types/subtask.ts';
import { escapeXml } from '../text/text.ts';
import { diagnosisRequest } from './diagnosis.ts';

/** What is to be done, how it failed, and what the person is told so far. */
export const rewordingRequest = (
  definition: Subtask,
  { failures, problem }: Pick<RewordingInput, 'failures' | 'problem'>,
): string =>
  [
    diagnosisRequest(definition, failures.slice(-limits.phrase.failures)),
    `<told>\n${escapeXml(problem)}\n</told>`,
  ].join('\n\n');
