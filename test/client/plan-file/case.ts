import { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { LoadedPlan } from '../../../client/plan-file/load-plan-text.ts';
import { loadPlanFile } from '../../../client/plan-file/load-plan-file.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

/** Two lines that every plan needs, and a plan of four lines with one subtask: what a case adds stands in line 5. */
export const head = 'goal: g\nexecutor: { kind: command, run: [sh] }\n';
export const one = `${head}subtasks:\n  - id: a\n`;
export const inPlan = (line: string): string => `${one}${line}\n`;
export const inSubtask = (line: string): string => `${one}    ${line}\n`;

export function load(text: string | Buffer): Promise<LoadedPlan> {
  return loadPlanFile('-', { cwd: '/somewhere', stdin: Readable.from([Buffer.from(text)]) });
}

export async function refusal(text: string | Buffer): Promise<HeddleError> {
  const result = await load(text).catch((error: unknown) => error);
  if (!(result instanceof HeddleError)) throw new Error(`not refused as it should be: ${String(result)}`);
  return result;
}

/** One bad plan: its name, its text, `CODE line:column path`, and the whole message. */
export type BadPlan = [name: string, text: string, what: string, message: string];

export async function expectRefused([, text, what, message]: BadPlan): Promise<void> {
  const error = await refusal(text);
  const [, line, column, path] = /^stdin:(\d+):(\d+)(?: \((.*)\))?$/.exec(error.where ?? '') ?? [];
  expect([`${error.code} ${line ?? '?'}:${column ?? '?'} ${path ?? ''}`.trim(), error.message]).toEqual([
    what,
    message,
  ]);
  expect(error.hint).toMatch(/^\S.*[.?]$/);
  expect(error.problems).toEqual([]);
}
