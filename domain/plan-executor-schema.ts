import * as z from 'zod';
import { limits } from './limits.ts';
import { notSupported } from './plan-not-supported.ts';
import { duration, environmentName, list, map, name, oneOf, refuse, text } from './plan-values.ts';

const executorExpected = 'a map such as `{ kind: command, run: ["sh", "-c", "make"] }`';
const kindExpected = '`command` or `activity`';
const runExpected = 'a list of the program and its arguments, such as `["sh", "-c", "make"]`';

/** An empty argument is one; an empty program is not. */
const argument = z.string({ error: 'a text' }).refine((value) => !value.includes('\0'), {
  error: 'a text without the character U+0000',
});

export const commandExecutorSchema = map(
  {
    kind: z.literal('command'),
    run: list(argument, runExpected)
      .min(1, { error: runExpected })
      .refine(([program]) => program === undefined || program.trim() !== '', { error: runExpected }),
    prompt: oneOf(['stdin', 'argument', 'file']).exactOptional(),
    timeout: duration(limits.plan.timeout).exactOptional(),
    env: list(environmentName, 'a list of names of environment variables').exactOptional(),
    onCrash: oneOf(['rerun', 'ask']).exactOptional(),
  },
  executorExpected,
);

export const activityExecutorSchema = map(
  {
    kind: z.literal('activity'),
    name: name('the name of an activity'),
    taskQueue: name('the name of a task queue'),
    timeout: duration(limits.plan.timeout).exactOptional(),
  },
  executorExpected,
);

export const agentExecutorSchema = map(
  { kind: z.literal('agent'), model: text('the name of a model').exactOptional() },
  executorExpected,
);

const agentNotYet = agentExecutorSchema.transform((value, context) => {
  refuse(context, value, notSupported('agent'));
  return z.NEVER;
});

export const executorSchema = z.discriminatedUnion(
  'kind',
  [commandExecutorSchema, activityExecutorSchema, agentNotYet],
  {
    error: ({ discriminator }) => (discriminator === undefined ? executorExpected : kindExpected),
  },
);

export type PlannedExecutor = z.output<typeof executorSchema>;
