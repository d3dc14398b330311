import * as z from 'zod';
import { readOutput } from '../output/pipeline.ts';
import { withoutThoughts } from '../output/thoughts.ts';

/** The object of a planner's reply, or the problem of the reply. */
export type PlanReply =
  | { ok: true; value: Record<string, unknown>; subtasks: unknown[] }
  | { ok: false; problem: string };

const schema = z.looseObject({ subtasks: z.array(z.unknown()) });

/** Finds the object `{subtasks: [...]}` in a reply. A truncated reply is refused, since subtasks may be missing. Never throws. */
export function readPlanReply(text: string): PlanReply {
  const read = readOutput(withoutThoughts(text), { schema });
  if (read.kind === 'invalid') return { ok: false, problem: `${read.reason} ${read.suggestion}` };
  if (read.kind === 'repaired' && read.how === 'completed')
    return { ok: false, problem: 'The reply was cut off. Send the whole object, with shorter texts if necessary.' };
  return { ok: true, value: read.value, subtasks: read.value.subtasks };
}
