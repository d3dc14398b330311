import { planLimits } from '../input/limits.ts';
import { explainIssues } from '../schema/issues.ts';
import { findPhaseProblems } from './evidence-phases.ts';
import { builtInNames, findNameProblems, type KnownNames } from './names.ts';
import type { PlanProblem } from '../input/problem.ts';
import { formatPath, valueAt } from '../input/problem.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import { planSchema } from '../schema/plan-schema.ts';
import type { TopologySubtask } from './topology.ts';
import { checkTopology, noPlanner } from './topology.ts';
import { formatGoal } from './goal-text.ts';

export type ParsedPlan = { ok: true; plan: CheckedPlan } | { ok: false; problems: PlanProblem[] };

interface ParseOptions {
  /** The plan was made from a process: its subtasks may say which phase they belong to. */
  ofProcess?: boolean;
}

/**
 * Checks a plan of unknown origin. Never throws; every problem is listed. `names` are those of the config; `later` skips the check of
 * names where no config is at hand.
 */
export function parsePlan(
  given: unknown,
  names: KnownNames | 'later' = builtInNames,
  { ofProcess = false }: ParseOptions = {},
): ParsedPlan {
  if (given === undefined || given === null) return { ok: false, problems: [nothing] };
  const value = withGoal(given);
  const parsed = planSchema.safeParse(value);
  const { problems, misspelt } = explainIssues(parsed.error?.issues ?? [], value);
  const isPlanned = names === 'later' || names.plans || namesProcess(value);
  const listed = [
    ...(isMap(value) && value['goal'] === undefined && !misspelt.has('goal') ? [withoutGoal] : []),
    ...problems.filter((problem) => !isEmptyPlan(problem, value)),
    ...(ofProcess ? [] : findProcessProblems(value)),
    ...(names === 'later' ? [] : findNameProblems(value, names, misspelt)),
    ...topologyProblems(value, misspelt, isPlanned),
    ...findPhaseProblems(value),
  ];
  const { goal } = parsed.data ?? {};
  if (parsed.success && goal !== undefined && listed.length === 0) return { ok: true, plan: { ...parsed.data, goal } };
  return { ok: false, problems: listed.slice(0, planLimits.problems) };
}

export const namesProcess = (plan: unknown): boolean => isMap(plan) && plan['process'] !== undefined;

/** A process may bring its goal: until it was read, its name stands in its place. */
function withGoal(plan: unknown): unknown {
  if (!isMap(plan) || plan['process'] === undefined || plan['goal'] !== undefined) return plan;
  return { ...plan, goal: formatGoal(plan) };
}

/** Keys of a subtask that only a process brings in. */
const processKeys = ['phase', 'advice'] as const;

function findProcessProblems(plan: unknown): PlanProblem[] {
  if (!isMap(plan)) return [];
  const subtasks: unknown[] = Array.isArray(plan['subtasks']) ? plan['subtasks'] : [];
  const ofProcess = plan['process'] !== undefined;
  return [
    ...(ofProcess && subtasks.length > 0 ? [withSubtasks] : []),
    ...(plan['inputs'] !== undefined && !ofProcess ? [withoutProcess] : []),
    ...subtasks.flatMap((subtask, index) =>
      processKeys.filter((key) => isMap(subtask) && subtask[key] !== undefined).map((key) => onlyOfProcess(key, index)),
    ),
  ];
}

const withSubtasks: PlanProblem = {
  code: 'PROCESS_WITH_SUBTASKS',
  message: 'A plan with `process` has no `subtasks`: the phases of the process are the plan.',
  where: 'subtasks',
  hint: 'Remove `subtasks`, or `process`.',
  path: ['subtasks'],
};

const withoutProcess: PlanProblem = {
  code: 'PLAN_WRONG_TYPE',
  message: '`inputs` are values for a process, and the plan names none.',
  where: 'inputs',
  hint: 'Add `process`, or remove `inputs`.',
  path: ['inputs'],
};

function onlyOfProcess(key: string, index: number): PlanProblem {
  const path = ['subtasks', index, key];
  return {
    code: 'PLAN_UNKNOWN_KEY',
    message: `\`${key}\` is not a key of a subtask: only a process sets it.`,
    where: formatPath(path),
    hint: 'Remove it.',
    path,
  };
}

const withoutGoal: PlanProblem = {
  code: 'PLAN_WRONG_TYPE',
  message: '`goal` is missing; it should be a string that is not empty.',
  where: 'goal',
  hint: 'Add `goal`.',
  path: ['goal'],
};

const nothing: PlanProblem = {
  code: 'PLAN_EMPTY',
  message: 'The plan is empty.',
  where: 'plan',
  hint: 'Give it a `goal` and at least one entry in `subtasks`.',
  path: [],
};

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A plan without subtasks has one problem, which the topology reports. */
const isEmptyPlan = ({ path }: PlanProblem, plan: unknown): boolean =>
  path.length === 1 && path[0] === 'subtasks' && (valueAt(plan, path) ?? undefined) === undefined;

/** The graph is checked even after other problems, so that a person sees every problem at once. */
function topologyProblems(plan: unknown, misspelt: ReadonlySet<string>, isPlanned: boolean): PlanProblem[] {
  if (!isMap(plan)) return [];
  if (plan['subtasks'] === undefined && !misspelt.has('subtasks')) return isPlanned ? [] : [noPlanner];
  const subtasks = plan['subtasks'] ?? [];
  if (!Array.isArray(subtasks) || (subtasks.length === 0 && misspelt.has('subtasks'))) return [];
  return checkTopology(subtasks.map(toTopology));
}

function toTopology(subtask: unknown): TopologySubtask {
  if (!isMap(subtask)) return { id: undefined, dependsOn: [], synthesis: false };
  const { id, dependsOn, synthesis } = subtask;
  return {
    id: toId(id),
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map(toId) : [],
    synthesis: synthesis === true,
  };
}

const toId = (value: unknown): string | undefined => (typeof value === 'string' ? value.normalize('NFC') : undefined);
