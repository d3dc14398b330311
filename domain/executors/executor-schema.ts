import * as z from 'zod';
import { presetNames } from './presets.ts';
import { limits } from '../limits.ts';
import { planLimits } from '../source/limits.ts';
import { notSupported } from '../source/not-supported.ts';
import { duration, environmentName, list, map, name, oneOf, refuse, text } from '../source/values.ts';

const executorExpected = 'a map such as `{ kind: command, run: ["sh", "-c", "make"] }`';
const choiceExpected = `the name of an executor, or ${executorExpected}`;
const kindExpected = '`command` or `activity`';
const runExpected = 'a list of the program and its arguments, such as `["sh", "-c", "make"]`';

/** An empty argument is one; an empty program is not. */
const argument = z.string({ error: 'a text' }).refine((value) => !value.includes('\0'), {
  error: 'a text without the character U+0000',
});

const run = list(argument, runExpected)
  .min(1, { error: runExpected })
  .refine(([program]) => program === undefined || program.trim() !== '', { error: runExpected });

const modelsExpected = `a list of 1 to ${limits.highestTier} names of models, the weakest first`;

const models = list(text('the name of a model'), modelsExpected)
  .min(1, { error: modelsExpected })
  .max(limits.highestTier, { error: modelsExpected });

const argumentList = list(argument, 'a list of arguments');

/** What runs a program, whoever says it. */
const programShape = {
  prompt: oneOf(['stdin', 'argument', 'file']).exactOptional(),
  timeout: duration(planLimits.timeout).exactOptional(),
  env: list(environmentName, 'a list of names of environment variables').exactOptional(),
  onCrash: oneOf(['rerun', 'ask']).exactOptional(),
  models: models.exactOptional(),
  thinking: argumentList.exactOptional(),
};

export const commandExecutorSchema = map({ kind: z.literal('command'), run, ...programShape }, executorExpected).check(
  (context) => {
    const { run: words, models: named, thinking = [] } = context.value;
    if (named !== undefined && ![...words, ...thinking].some((word) => word.includes('{model}'))) {
      refuse(context, context.value, modelsUnused);
    }
  },
);

export const modelsUnused = {
  code: 'PLAN_WRONG_TYPE',
  message: '`models` is given, but no argument of `run` says where the model belongs.',
  hint: 'Put `{model}` into `run`, such as `["./agent.sh", "--model", "{model}"]`.',
} as const;

export const activityExecutorSchema = map(
  {
    kind: z.literal('activity'),
    name: name('the name of an activity'),
    taskQueue: name('the name of a task queue'),
    timeout: duration(planLimits.timeout).exactOptional(),
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

/** In a plan: an executor of the config by its name, or one of its own. */
export const executorChoiceSchema = z.union([name('the name of an executor'), executorSchema], {
  error: choiceExpected,
});

/**
 * An executor of the config. All keys are optional: a stronger file or a flag may change a single one. Whether what
 * comes out is whole is checked when all layers are there.
 */
export const namedExecutorSchema = map(
  {
    preset: oneOf(presetNames).exactOptional(),
    kind: z
      .enum(['command', 'activity', 'agent'], { error: kindExpected })
      .check((context) => {
        if (context.value === 'agent') refuse(context, context.value, notSupported('agent'));
      })
      .exactOptional(),
    run: run.exactOptional(),
    args: argumentList.exactOptional(),
    ...programShape,
    name: name('the name of an activity').exactOptional(),
    taskQueue: name('the name of a task queue').exactOptional(),
  },
  'a table such as `{ preset: claude }` or `{ kind: command, run: ["./agent.sh"] }`',
);

export type PlannedExecutor = z.output<typeof executorSchema>;
export type ExecutorChoice = z.output<typeof executorChoiceSchema>;
export type NamedExecutor = z.output<typeof namedExecutorSchema>;
