import * as z from 'zod';
import { defaultTaskLimits } from '../limits/task-limits.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Diagnosis, PastFailure } from '../types/attempt.ts';
import type { Subtask } from '../types/subtask.ts';
import { readOutput } from '../output/pipeline.ts';
import { withoutThoughts } from '../output/thoughts.ts';
import { previousFailures } from '../prompts/retry-context.ts';
import { clip, escapeXml, oneLine } from '../text/text.ts';
import { nameOfCheck } from '../checks/named-checks.ts';

const { cause: longestCause, items, item } = limits.diagnosis;

/** Builds the request: the subtask and its failures so far. */
export function diagnosisRequest(
  { description, criteria, deliverables, verify, checkNames }: Subtask,
  failures: readonly PastFailure[],
): string {
  const task = [
    clip(description, limits.diagnosis.task),
    ...criteria.map((criterion) => `Must be true: ${criterion}`),
    ...deliverables.map((path) => `File to create: ${path}`),
    ...verify.map((command) => `Checked by: ${formatCheck(command, nameOfCheck(command, checkNames))}`),
  ].join('\n');
  return [
    `<subtask>\n${escapeXml(clip(task, 2 * limits.diagnosis.task))}\n</subtask>`,
    `<failures>\n${previousFailures(failures, defaultTaskLimits.retryContext).join('\n')}\n</failures>`,
  ].join('\n\n');
}

/** A name alone may say anything: the command is what was checked. */
const formatCheck = (command: string, name: string | undefined): string =>
  name === undefined ? command : `${name}: ${command}`;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const list = z.unknown().transform((value) =>
  (Array.isArray(value) ? value : [value])
    .filter(isText)
    .slice(0, items)
    .map((text) => clip(oneLine(text), item)),
);

const schema = z.looseObject({ cause: z.string().refine(isText) }).transform((reply): Diagnosis => ({
  cause: clip(oneLine(reply.cause), longestCause),
  actions: list.parse(reply['actions']),
  guardrails: list.parse(reply['guardrails']),
  successCriteria: list.parse(reply['successCriteria'] ?? reply['success_criteria'] ?? reply['criteria']),
}));

/** Reads a model's diagnosis; null where it is unreadable. Never throws. */
export function readDiagnosis(text: string): Diagnosis | null {
  const read = readOutput(withoutThoughts(text), { schema, keys: ['cause'] });
  return read.kind === 'invalid' ? null : read.value;
}
