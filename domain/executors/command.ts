import * as z from 'zod';
import { limits } from '../limits/domain-limits.ts';
import {
  argument,
  argumentList,
  environmentName,
  list,
  map,
  buildEnum,
  addRefusal,
  text,
  type Refusal,
} from '../input/values.ts';
import { executorExpected, timeoutKey } from './keys.ts';
import { executorKind } from './kind.ts';
import { outputNames, reportsCost, type OutputName } from './output-names.ts';

const runExpected = 'a list of the program and its arguments, such as `["sh", "-c", "make"]`';

const run = list(argument, runExpected)
  .min(1, { error: runExpected })
  .refine(([program]) => program === undefined || program.trim() !== '', { error: runExpected });

const modelsExpected = `a list of 1 to ${limits.highestTier} names of models, the weakest first`;

const models = list(text('the name of a model'), modelsExpected)
  .min(1, { error: modelsExpected })
  .max(limits.highestTier, { error: modelsExpected });

const setExpected = 'a map of variables and their values, such as `{ NO_COLOR: "1" }`';

const set = z.record(z.string(), argument, { error: setExpected }).check((context) => {
  const wrong = Object.keys(context.value).find((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key));
  if (wrong !== undefined) addRefusal(context, context.value, setUnnamed);
});

const setUnnamed: Refusal = {
  code: 'PLAN_WRONG_TYPE',
  message: 'Each key of `set` should be the name of an environment variable, such as `NO_COLOR`.',
  hint: 'Use letters, digits and `_`, and no digit first.',
};

/** Keys that also change a preset. */
export const programShape = {
  /**
   * How the prompt arrives: on `stdin`, as the last `argument`, or in a `file` (`HEDDLE_PROMPT_FILE`).
   *
   * @defaultValue `stdin`
   */
  prompt: buildEnum(['stdin', 'argument', 'file']).exactOptional(),
  /**
   * Time limit of an attempt.
   *
   * @defaultValue `30m`
   */
  timeout: timeoutKey,
  /**
   * Names of variables that the program receives besides the clean base. A `?` after a name means: only when it is set.
   *
   * @defaultValue `[]`
   * @see `docs/guarantees.md#secrets`
   */
  env: list(environmentName('env', { orMissing: true }), 'a list of names of environment variables').exactOptional(),
  /**
   * After a crash of the worker, `rerun` runs the same attempt again, `ask` asks a person first.
   *
   * @defaultValue `rerun`
   */
  onCrash: buildEnum(['rerun', 'ask']).exactOptional(),
  /**
   * Models that replace `{model}` in `run`, by tier; the last also serves the tiers above it.
   *
   * @defaultValue none
   */
  models: models.exactOptional(),
  /**
   * Arguments that rungs with thinking add, at `{thinking}` in `run`, otherwise at its end.
   *
   * @defaultValue `[]`
   */
  thinking: argumentList.exactOptional(),
  /**
   * Variables with a public value, such as `{ NO_COLOR: "1" }`.
   *
   * @defaultValue `{}`
   */
  set: set.exactOptional(),
};

/** Keys that a preset sets itself. */
export const outputShape = {
  /**
   * Program whose own output is read for result, cost and conversation: `claude`, `codex`, `gemini`, `opencode`, `aider` or `pi`.
   *
   * @defaultValue none
   * @see `docs/agent-clis.md`
   */
  output: buildEnum(outputNames).exactOptional(),
  /**
   * Arguments that continue the conversation `{session}`, at `{resume}` in `run`, otherwise at its end.
   *
   * @defaultValue none
   */
  resume: argumentList.exactOptional(),
};

const schema = map(
  {
    /** Runs any program. */
    kind: z.literal('command'),
    /** Program and its arguments. */
    run,
    ...programShape,
    ...outputShape,
  },
  executorExpected,
).check((context) => {
  const { run: args, models: named, thinking = [], resume, output } = context.value;
  if (resume !== undefined && (output === undefined || !resume.some((word) => word.includes('{session}'))))
    addRefusal(context, resume, resumeUnused, ['resume']);
  if (named === undefined || [...args, ...thinking].some((word) => word.includes('{model}'))) return;
  addRefusal(context, named, modelsUnused, ['models']);
});

const modelsUnused: Refusal = {
  code: 'PLAN_WRONG_TYPE',
  message: '`models` is given, but no argument of `run` says where the model belongs.',
  hint: 'Put `{model}` into `run`, such as `["./agent.sh", "--model", "{model}"]`.',
};

const resumeUnused: Refusal = {
  code: 'PLAN_WRONG_TYPE',
  message:
    '`resume` is given, but nothing says which conversation to continue: it needs `output` and the word `{session}`.',
  hint: 'Write, for example, `output: claude` and `resume: ["--resume", "{session}"]`.',
};

export interface CommandExecutor {
  kind: 'command';
  run: string[];
  prompt: 'stdin' | 'argument' | 'file';
  timeout: number;
  /** Names of variables that the program receives besides the clean base; `NAME?` may be missing. */
  env: string[];
  onCrash: 'rerun' | 'ask';
  /** Models for `{model}` in `run`, by tier; the last also serves the tiers above it. */
  models?: string[];
  /** Arguments that thinking adds, at `{thinking}` in `run`, otherwise at its end. */
  thinking?: string[];
  /** Variables with a public value; a variable that `env` names and the worker has wins. */
  set?: Record<string, string>;
  /** The format of its output, from which result, cost and conversation are read. */
  output?: OutputName;
  /** Arguments that continue the conversation `{session}`, at `{resume}` in `run`, otherwise at its end. */
  resume?: string[];
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
    ...(given.set === undefined ? {} : { set: given.set }),
    ...(given.output === undefined ? {} : { output: given.output }),
    ...(given.resume === undefined ? {} : { resume: given.resume }),
  }),
  needs: ({ run: [program = ''], env, output }) => ({
    programs: [{ name: program, key: 'run' }],
    variables: env.filter((name) => !name.endsWith('?')).map((name) => ({ name, key: 'env' })),
    models: [],
    ...(output === undefined || reportsCost[output] ? {} : { unpriced: [{ name: program, key: 'output' }] }),
  }),
  variables: ({ env }) => env.map((name) => name.replace(/\?$/, '')),
  buildCall: ({ timeout, output, models: named }) => ({
    kind: 'command' as const,
    timeout,
    ...(output === undefined && named === undefined ? {} : { usesModel: true as const }),
  }),
  inWorkspace: true,
});
