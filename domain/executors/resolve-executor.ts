import type * as z from 'zod';
import type { Problem } from '../errors/heddle-error.ts';
import type { PlanPath } from '../input/problem.ts';
import { isKind, type NamedExecutor } from './executor-schema.ts';
import { executorKinds, type PlannedExecutor } from './kinds.ts';
import { presets, type Preset } from './presets.ts';

/** A problem of an executor of the config, and the key that causes it. */
export type ExecutorProblem = Required<Pick<Problem, 'message' | 'hint'>> & { path: PlanPath };

/** An executor after all layers are merged: as it was written, and checked key by key. */
export interface MergedExecutor {
  raw: unknown;
  values: NamedExecutor;
}

const presetKeys = ['preset', 'args', 'models', 'thinking', 'env', 'set', 'timeout', 'onCrash'];

/** Resolves an executor to the form of a plan after all layers are merged; or returns its problem. */
export function resolveExecutor(name: string, { raw, values }: MergedExecutor): PlannedExecutor | ExecutorProblem {
  const { preset, kind } = values;
  if (preset !== undefined && kind !== undefined) {
    return buildExecutorProblem(
      `The executor \`${name}\` has both \`preset\` and \`kind\`.`,
      'Remove one of the two.',
      'kind',
    );
  }
  if (preset !== undefined) {
    const key = Object.keys(values).find((candidate) => !presetKeys.includes(candidate));
    if (key !== undefined) return buildExcessProblem(name, key, presetKeys, 'an executor with a preset');
    return fromPreset(presets[preset], values);
  }
  if (!isKind(kind)) {
    return buildExecutorProblem(
      `The executor \`${name}\` has neither \`preset\` nor \`kind\`.`,
      'Set `preset`, or `kind` with its keys.',
    );
  }
  const { schema } = executorKinds[kind];
  const parsed = schema.safeParse(raw);
  return parsed.success ? parsed.data : formatUnfinished(name, kind, parsed.error.issues, Object.keys(schema.shape));
}

export const isExecutorProblem = (resolved: PlannedExecutor | ExecutorProblem): resolved is ExecutorProblem =>
  'message' in resolved;

const buildExecutorProblem = (message: string, hint: string, ...path: string[]): ExecutorProblem => ({
  message,
  hint,
  path,
});

/** Each key was checked in its layer, so the remaining problems are excess, missing or conflicting keys. */
function formatUnfinished(
  name: string,
  kind: string,
  issues: readonly z.core.$ZodIssue[],
  keys: readonly string[],
): ExecutorProblem {
  for (const issue of issues) {
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (key !== undefined) return buildExcessProblem(name, key, keys, `an executor of the kind \`${kind}\``);
  }
  const missing = issues.find(({ code, path }) => code === 'invalid_type' && path.length > 0)?.path[0];
  if (missing !== undefined) {
    const key = String(missing);
    return buildExecutorProblem(`\`${key}\` of the executor \`${name}\` is missing.`, `Add \`${key}\`.`);
  }
  const [first] = issues;
  const refusal: unknown = first?.code === 'custom' ? first.params?.['refusal'] : undefined;
  const hint = typeof refusal === 'object' && refusal !== null && 'hint' in refusal ? String(refusal.hint) : '';
  const path = (first?.path ?? []).map((part) => (typeof part === 'symbol' ? String(part) : part));
  return { message: first?.message ?? `The executor \`${name}\` is not complete.`, hint: hint || 'Correct it.', path };
}

function buildExcessProblem(name: string, key: string, keys: readonly string[], what: string): ExecutorProblem {
  return buildExecutorProblem(
    `\`${key}\` of the executor \`${name}\` is not a key of ${what}.`,
    `Remove it, or use one of: ${keys.filter((allowed) => allowed !== 'kind' && allowed !== 'preset').join(', ')}.`,
    key,
  );
}

function fromPreset(preset: Preset, given: NamedExecutor): PlannedExecutor {
  const named = given.models ?? preset.models;
  const values = named ?? preset.otherwise?.values;
  const model = named === undefined ? (preset.otherwise?.args ?? []) : preset.model;
  return {
    kind: 'command',
    run: [
      ...preset.run,
      ...model,
      ...(given.args ?? []),
      '{thinking}',
      ...(preset.resume === undefined ? [] : ['{resume}']),
      ...preset.last,
    ],
    prompt: preset.prompt,
    env: [...preset.env, ...(given.env ?? [])],
    thinking: given.thinking ?? [...preset.thinking],
    output: preset.output,
    ...(preset.resume === undefined ? {} : { resume: [...preset.resume] }),
    set: { ...preset.set, ...given.set },
    ...(values === undefined ? {} : { models: [...values] }),
    ...(given.timeout === undefined ? {} : { timeout: given.timeout }),
    ...(given.onCrash === undefined ? {} : { onCrash: given.onCrash }),
  };
}
