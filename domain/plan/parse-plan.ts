import { planLimits } from '../input/limits.ts';
import { explainIssues } from '../schema/issues.ts';
import { findPhaseProblems } from './evidence-phases.ts';
import { builtInNames, findNameProblems, type KnownNames } from './names.ts';
import type { PlanProblem } from '../input/problem.ts';
import { valueAt } from '../input/problem.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import { planSchema } from '../schema/plan-schema.ts';
import type { TopologySubtask } from './topology.ts';
import { checkTopology, noPlanner } from './topology.ts';

export type ParsedPlan = { ok: true; plan: CheckedPlan } | { ok: false; problems: PlanProblem[] };

/**
 * Checks a plan of unknown origin. Never throws; every problem is listed. `names` are those of the config; `later` skips the check of
 * names where no config is at hand.
 */
export function parsePlan(value: unknown, names: KnownNames | 'later' = builtInNames): ParsedPlan {
  if (value === undefined || value === null) return { ok: false, problems: [nothing] };
  const parsed = planSchema.safeParse(value);
  const { problems, misspelt } = explainIssues(parsed.error?.issues ?? [], value);
  const listed = [
    ...problems.filter((problem) => !isEmptyPlan(problem, value)),
    ...(names === 'later' ? [] : findNameProblems(value, names, misspelt)),
    ...topologyProblems(value, misspelt, names === 'later' || names.plans),
    ...findPhaseProblems(value),
  ];
  if (parsed.success && listed.length === 0) return { ok: true, plan: parsed.data };
  return { ok: false, problems: listed.slice(0, planLimits.problems) };
}

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
