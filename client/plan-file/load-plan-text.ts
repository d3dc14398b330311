import { resolve } from 'node:path';
import type { ResolvedConfig } from '../../domain/config/layers.ts';
import { buildKnownNames } from '../../domain/config/known-names.ts';
import { convertYaml } from '../../domain/input/convert-yaml.ts';
import { locateProblems } from '../../domain/input/locate-problem.ts';
import { parseYaml } from '../../domain/input/parse-yaml.ts';
import type { PlanText } from '../../domain/input/plan-source.ts';
import type { PlanProblem } from '../../domain/input/problem.ts';
import { planError, valueAt } from '../../domain/input/problem.ts';
import { builtInNames, type KnownNames } from '../../domain/plan/names.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { topologyCodes } from '../../domain/plan/topology.ts';
import type { CheckedPlan, PlanInput } from '../../domain/schema/plan-schema.ts';

export interface LoadedPlan {
  /** The plan that is made of its process, where it follows one that can be seen from here. */
  made?: Record<string, unknown>;
  /** The input of the workflow: the plan as it was written, with an absolute workspace. */
  raw: PlanInput & Record<string, unknown>;
  plan: CheckedPlan;
}

export interface LoadTextOptions {
  /** The folder that a relative workspace is resolved against. */
  cwd: string;
  /** The config of the place where the plan will run; undefined when that is elsewhere. Without this there is none. */
  config?: (place: { workspace: string; host?: string }) => Promise<ResolvedConfig | undefined>;
  /** Adds what the command line says to the plan that was read. */
  change?: (value: unknown) => unknown;
}

/** A plan that was read, or all that is wrong with it; `value` is the text as data. */
export type PlanReading = { loaded: LoadedPlan } | { problems: readonly PlanProblem[]; value: unknown };

/**
 * Reads a plan, YAML or JSON, from text that came from anywhere: a file, stdin, a request. Throws a `HeddleError` whose problems
 * name the source, line and column.
 */
export async function loadPlanText(source: PlanText, options: LoadTextOptions): Promise<LoadedPlan> {
  const reading = await readPlanText(source, options);
  if ('problems' in reading) throw planError(reading.problems, source.name);
  return reading.loaded;
}

/** Reads a plan, and tells what is wrong with it. Throws where the text has no form at all, or the config of its place is wrong. */
export async function readPlanText(source: PlanText, options: LoadTextOptions): Promise<PlanReading> {
  const yaml = parseYaml(source);
  const converted = convertYaml(source, yaml);
  const value = options.change === undefined ? converted.value : options.change(converted.value);
  const located = (problems: readonly PlanProblem[]): PlanReading => ({
    problems: locateProblems(problems, { name: source.name, converted, positionOf: yaml.positionOf }, ({ code }) =>
      topologyCodes.includes(code),
    ),
    value,
  });
  if (valueAt(value, ['config']) !== undefined) return located([onlyOfStarters]);
  const parsed = parsePlan(value, await loadKnownNames(value, options));
  if (!parsed.ok) return located(parsed.problems);
  // Relative to the current folder, wherever the file is; another host would not know that folder.
  const workspace = resolve(options.cwd, parsed.plan.workspace ?? '.');
  // The plan was parsed: its keys and values are those of the schema.
  const raw = { ...(value as PlanInput), workspace };
  checkPlanSize(raw, source.name);
  return { loaded: { raw, plan: { ...parsed.plan, workspace } } };
}

/** Trust is given by the person who starts a task: a file that came with a folder cannot give it. */
const onlyOfStarters: PlanProblem = {
  code: 'PLAN_UNKNOWN_KEY',
  message: '`config` is not a key of a plan file: only the program that starts a task sets it.',
  hint: 'Remove it; settings belong into heddle.toml or `--config KEY=VALUE`.',
  path: ['config'],
};

/** The names that a plan may refer to. The config is read first: a mistake in it is no problem of the plan. */
export async function loadKnownNames(
  plan: unknown,
  { cwd, config }: Pick<LoadTextOptions, 'cwd' | 'config'>,
): Promise<KnownNames | 'later'> {
  if (config === undefined) return builtInNames;
  const workspace = textAt(plan, 'workspace') ?? '.';
  const host = textAt(plan, 'host');
  const resolved = await config({ workspace: resolve(cwd, workspace), ...(host === undefined ? {} : { host }) });
  // Models may be found that no config names: a goal is refused where they were looked for.
  return resolved === undefined ? 'later' : { ...buildKnownNames(resolved), plans: true };
}

function textAt(plan: unknown, key: string): string | undefined {
  const value = valueAt(plan, [key]);
  return typeof value === 'string' ? value : undefined;
}
