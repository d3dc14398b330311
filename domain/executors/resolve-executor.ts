import { presets, type Preset } from './presets.ts';
import type { NamedExecutor, PlannedExecutor } from './executor-schema.ts';
import { commandExecutorSchema, activityExecutorSchema, modelsUnused } from './executor-schema.ts';
import type { Problem } from '../heddle-error.ts';
import type { PlanPath } from '../source/problem.ts';

/** What is wrong with an executor of the config, and with which of its keys. */
export type Unfinished = Required<Pick<Problem, 'message' | 'hint'>> & { path: PlanPath };

const ofPreset = ['preset', 'args', 'models', 'thinking', 'env', 'timeout', 'onCrash'];
const keysByKind = {
  command: Object.keys(commandExecutorSchema.shape),
  activity: Object.keys(activityExecutorSchema.shape),
};

/** An executor of the config as a plan would write it out, once all layers are merged; or what is missing or too much. */
export function resolveExecutor(name: string, given: NamedExecutor): PlannedExecutor | Unfinished {
  const { preset, kind } = given;
  if (preset !== undefined && kind !== undefined) {
    return unfinished(`The executor \`${name}\` has both \`preset\` and \`kind\`.`, 'Remove one of the two.', 'kind');
  }
  if (preset !== undefined) {
    return excess(name, given, ofPreset, 'an executor with a preset') ?? fromPreset(presets[preset], given);
  }
  const words = `an executor of the kind \`${kind ?? ''}\``;
  if (kind === 'command') return excess(name, given, keysByKind.command, words) ?? command(name, given);
  if (kind === 'activity') return excess(name, given, keysByKind.activity, words) ?? activity(name, given);
  return unfinished(
    `The executor \`${name}\` has neither \`preset\` nor \`kind\`.`,
    'Set `preset`, or `kind` with what belongs to it.',
  );
}

export const isUnfinished = (resolved: PlannedExecutor | Unfinished): resolved is Unfinished => 'message' in resolved;

const unfinished = (message: string, hint: string, ...path: string[]): Unfinished => ({ message, hint, path });

function excess(name: string, given: NamedExecutor, keys: readonly string[], what: string): Unfinished | undefined {
  const key = Object.keys(given).find((candidate) => !keys.includes(candidate));
  if (key === undefined) return undefined;
  return unfinished(
    `\`${key}\` of the executor \`${name}\` is not a key of ${what}.`,
    `Remove it, or use one of: ${keys.filter((known) => known !== 'kind' && known !== 'preset').join(', ')}.`,
    key,
  );
}

function missing(name: string, key: string): Unfinished {
  return unfinished(`\`${key}\` of the executor \`${name}\` is missing.`, `Add \`${key}\`.`);
}

function command(name: string, given: NamedExecutor): PlannedExecutor | Unfinished {
  const { run, models, thinking = [] } = given;
  if (run === undefined) return missing(name, 'run');
  if (models !== undefined && ![...run, ...thinking].some((word) => word.includes('{model}'))) {
    return unfinished(modelsUnused.message, modelsUnused.hint, 'models');
  }
  return { ...programKeys(given), kind: 'command', run };
}

function activity(executor: string, { name, taskQueue, timeout }: NamedExecutor): PlannedExecutor | Unfinished {
  if (name === undefined) return missing(executor, 'name');
  if (taskQueue === undefined) return missing(executor, 'taskQueue');
  return { kind: 'activity', name, taskQueue, ...(timeout === undefined ? {} : { timeout }) };
}

function fromPreset(preset: Preset, given: NamedExecutor): PlannedExecutor {
  const named = given.models ?? preset.models;
  const values = named ?? preset.otherwise?.values;
  const model = named === undefined ? (preset.otherwise?.args ?? []) : preset.model;
  return {
    ...programKeys(given),
    kind: 'command',
    run: [...preset.run, ...model, ...(given.args ?? []), '{thinking}', ...preset.last],
    prompt: preset.prompt,
    env: [...preset.env, ...(given.env ?? [])],
    thinking: given.thinking ?? [...preset.thinking],
    ...(values === undefined ? {} : { models: [...values] }),
  };
}

type ProgramKeys = Omit<Extract<PlannedExecutor, { kind: 'command' }>, 'kind' | 'run'>;

function programKeys({ prompt, timeout, env, onCrash, models, thinking }: NamedExecutor): ProgramKeys {
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(env === undefined ? {} : { env }),
    ...(onCrash === undefined ? {} : { onCrash }),
    ...(models === undefined ? {} : { models }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}
