import * as z from 'zod';
import { limits } from '../limits.ts';
import { environmentName, list, map, oneOf, refuse, text, type Refusal } from '../source/values.ts';
import { argument, argumentList, executorExpected, timeoutKey } from './keys.ts';
import { executorKind } from './kind.ts';

const runExpected = 'a list of the program and its arguments, such as `["sh", "-c", "make"]`';

const run = list(argument, runExpected)
  .min(1, { error: runExpected })
  .refine(([program]) => program === undefined || program.trim() !== '', { error: runExpected });

const modelsExpected = `a list of 1 to ${limits.highestTier} names of models, the weakest first`;

const models = list(text('the name of a model'), modelsExpected)
  .min(1, { error: modelsExpected })
  .max(limits.highestTier, { error: modelsExpected });

/** What a preset may be changed by, too. */
export const programShape = {
  prompt: oneOf(['stdin', 'argument', 'file']).exactOptional(),
  timeout: timeoutKey,
  env: list(environmentName('env', { orMissing: true }), 'a list of names of environment variables').exactOptional(),
  onCrash: oneOf(['rerun', 'ask']).exactOptional(),
  models: models.exactOptional(),
  thinking: argumentList.exactOptional(),
};

const schema = map({ kind: z.literal('command'), run, ...programShape }, executorExpected).check((context) => {
  const { run: words, models: named, thinking = [] } = context.value;
  if (named === undefined || [...words, ...thinking].some((word) => word.includes('{model}'))) return;
  refuse(context, named, modelsUnused, ['models']);
});

const modelsUnused: Refusal = {
  code: 'PLAN_WRONG_TYPE',
  message: '`models` is given, but no argument of `run` says where the model belongs.',
  hint: 'Put `{model}` into `run`, such as `["./agent.sh", "--model", "{model}"]`.',
};

export interface CommandExecutor {
  kind: 'command';
  run: string[];
  prompt: 'stdin' | 'argument' | 'file';
  timeout: number;
  /** Names of variables that the program receives besides the clean base; `NAME?` may be missing. */
  env: string[];
  onCrash: 'rerun' | 'ask';
  /** What `{model}` in `run` stands for, by tier; the last also for the tiers above it. */
  models?: string[];
  /** Arguments that thinking adds, where `{thinking}` stands in `run`, else at its end. */
  thinking?: string[];
}

/** A program that runs in the workspace. */
export const command = executorKind({
  about: 'a `command` executor',
  schema,
  complete: (given, defaults): CommandExecutor => ({
    kind: 'command',
    run: given.run,
    prompt: given.prompt ?? 'stdin',
    timeout: given.timeout ?? defaults.timeout,
    env: [...new Set(given.env)],
    onCrash: given.onCrash ?? 'rerun',
    ...(given.models === undefined ? {} : { models: given.models }),
    ...(given.thinking === undefined ? {} : { thinking: given.thinking }),
  }),
  needs: ({ run: [program = ''], env }) => ({
    programs: [{ name: program, key: 'run' }],
    variables: env.filter((name) => !name.endsWith('?')).map((name) => ({ name, key: 'env' })),
    models: [],
  }),
  variables: ({ env }) => env.map((name) => name.replace(/\?$/, '')),
  callOf: ({ timeout }) => ({ kind: 'command' as const, timeout }),
  inWorkspace: true,
});
