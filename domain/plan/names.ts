import { unknownName } from '../input/problem.ts';
import { findToolProblem } from './unknown-tool.ts';
import { builtInExecutors } from '../executors/presets.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath } from '../input/problem.ts';

/** The names that a plan may use, and the defaults that let a plan leave out its executor. */
export interface KnownNames {
  executors: readonly string[];
  /** Roles, each with a flag for a role that sets an executor. Without any role in the config, a plan's role only enters the prompt. */
  roles: ReadonlyMap<string, { runs: boolean }>;
  hasExecutor: boolean;
  /** A model is available that plans a goal without subtasks. */
  plans: boolean;
  /** The servers of tools that the config has. */
  servers: readonly string[];
  /** The config names files with tools, whose names are known when they are loaded. */
  ownTools: boolean;
}

export const builtInNames: KnownNames = {
  executors: builtInExecutors,
  roles: new Map(),
  hasExecutor: false,
  plans: false,
  servers: [],
  ownTools: false,
};

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds unknown executors and roles, and subtasks without an executor. */
export function findNameProblems(
  plan: unknown,
  names: KnownNames,
  misspelt: ReadonlySet<string> = new Set(),
): PlanProblem[] {
  if (!isMap(plan)) return [];
  const covered = plan['executor'] !== undefined || misspelt.has('executor') || names.hasExecutor;
  const subtasks: unknown[] = Array.isArray(plan['subtasks']) ? plan['subtasks'] : [];
  return [
    ...unknownExecutor(plan['executor'], names, ['executor']),
    ...unknownTools(plan['executor'], names, ['executor']),
    ...subtasks.flatMap((subtask, index) => {
      if (!isMap(subtask)) return [];
      const path = ['subtasks', index, 'executor'];
      const runs = covered || subtask['executor'] !== undefined || roleRuns(subtask['role'], names);
      return [
        ...unknownExecutor(subtask['executor'], names, path),
        ...unknownTools(subtask['executor'], names, path),
        ...unknownRole(subtask['role'], names, ['subtasks', index, 'role']),
        ...(runs || misspelt.has(formatPath(path)) ? [] : [nothingRuns(path)]),
      ];
    }),
  ];
}

const roleRuns = (role: unknown, { roles }: KnownNames): boolean =>
  typeof role === 'string' && roles.get(role)?.runs === true;

function unknownExecutor(given: unknown, { executors }: KnownNames, path: PlanPath): PlanProblem[] {
  if (typeof given !== 'string' || given.trim() === '' || executors.includes(given)) return [];
  return [
    { code: 'PLAN_UNKNOWN_EXECUTOR', ...unknownName('executor', given, executors), where: formatPath(path), path },
  ];
}

function unknownRole(given: unknown, { roles }: KnownNames, path: PlanPath): PlanProblem[] {
  if (typeof given !== 'string' || roles.size === 0 || roles.has(given)) return [];
  return [
    { code: 'PLAN_UNKNOWN_ROLE', ...unknownName('role', given, [...roles.keys()]), where: formatPath(path), path },
  ];
}

function unknownTools(executor: unknown, names: KnownNames, path: PlanPath): PlanProblem[] {
  const tools: unknown[] = isMap(executor) && Array.isArray(executor['tools']) ? executor['tools'] : [];
  return tools.flatMap((tool, index) => {
    const problem = typeof tool === 'string' ? findToolProblem(tool, names) : undefined;
    if (problem === undefined) return [];
    const at = [...path, 'tools', index];
    return [{ code: 'PLAN_WRONG_TYPE', ...problem, where: formatPath(at), path: at }];
  });
}

const nothingRuns = (path: PlanPath): PlanProblem => ({
  code: 'PLAN_WRONG_TYPE',
  message: '`executor` is missing, and the plan has no default for it.',
  where: formatPath(path),
  hint: 'Set `executor` in the subtask, in the plan for all subtasks, or in heddle.toml.',
  path,
});
