import * as z from 'zod';
import { readOutput } from '../output/pipeline.ts';
import { withoutThoughts } from '../output/thoughts.ts';

/** The object that a planner replied, or what is wrong with the reply. */
export type Reply = { ok: true; value: Record<string, unknown>; subtasks: unknown[] } | { ok: false; problem: string };

const schema = z.looseObject({ subtasks: z.array(z.unknown()) });

/** Finds the one object `{subtasks: [...]}` in what a model said. A reply that was cut off is none: something may be missing. Never throws. */
export function readPlanReply(text: string): Reply {
  const read = readOutput(withoutThoughts(text), { schema });
  if (read.kind === 'invalid') return { ok: false, problem: `${read.reason} ${read.suggestion}` };
  if (read.kind === 'repaired' && read.how === 'completed')
    return { ok: false, problem: 'The reply ends too early. Send the whole object, with fewer words if need be.' };
  return { ok: true, value: read.value, subtasks: read.value.subtasks };
}
