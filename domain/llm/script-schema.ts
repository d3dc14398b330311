import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { duration, list, map, numberBetween, buildEnum, text, wholeNumber } from '../input/values.ts';
import type { ModelRole } from '../types/llm.ts';

/* The file of the scripted provider: which request gets which reply. */

const roles = ['planner', 'executor', 'verifier', 'extractor', 'compactor'] as const satisfies readonly ModelRole[];

export const whenSchema = map(
  {
    role: buildEnum(roles).exactOptional(),
    subtask: text('the id of a subtask').exactOptional(),
    attempt: wholeNumber(1).exactOptional(),
    turn: wholeNumber(1).exactOptional(),
    contains: text('a text that the request contains').exactOptional(),
  },
  'a map of what must fit',
);

const wait = (unit: string, factor: number) =>
  z.union(
    [
      numberBetween(0, planLimits.duration / factor).transform((count) => count * factor),
      duration(planLimits.duration, { orNone: true }),
    ],
    { error: `a number of ${unit}, or a duration such as \`500ms\` or \`2s\`` },
  );

export const replySchema = map(
  {
    text: z.string({ error: 'a string' }).exactOptional(),
    calls: list(
      map({ tool: text('the name of a tool'), input: z.unknown().exactOptional() }, 'a map with `tool` and `input`'),
      'a list of calls',
    ).exactOptional(),
    usage: map(
      {
        input: wholeNumber(0).exactOptional(),
        output: wholeNumber(0).exactOptional(),
        cached: wholeNumber(0).exactOptional(),
        reasoning: wholeNumber(0).exactOptional(),
      },
      'a map of numbers of tokens',
    ).exactOptional(),
    status: wholeNumber(200, 599).exactOptional(),
    /** Milliseconds, once read. */
    retryAfter: wait('seconds', 1_000).exactOptional(),
    delay: wait('milliseconds', 1).exactOptional(),
    /** Pieces of the reply that are sent before the connection ends. */
    cut: wholeNumber(0).exactOptional(),
    raw: z.unknown().exactOptional(),
  },
  'a map that says what is replied',
);

export const entrySchema = map(
  { when: whenSchema.default({}), times: wholeNumber(1).default(1), reply: replySchema },
  'an entry with `when` and `reply`',
);

export const scriptSchema = list(entrySchema, 'a list of entries').min(1, { error: 'a list with at least one entry' });

export type ScriptEntry = z.infer<typeof entrySchema>;
