import type { ErrorCode } from '../errors/error-codes.ts';
import { planLimits } from '../input/limits.ts';
import { nearest } from '../text/nearest.ts';
import { findCycles } from './cycles.ts';
import type { PlanProblem } from '../input/problem.ts';
import { quoteName, formatPath } from '../input/problem.ts';
import { formatList } from '../text/text.ts';

/** The part of a subtask that determines the order. `undefined` replaces a value that was unreadable and is reported already. */
export interface TopologySubtask {
  id: string | undefined;
  dependsOn: readonly (string | undefined)[];
  synthesis: boolean;
}

/** A dependency between two subtasks: its index in `dependsOn`, and the subtask that it names. */
interface Edge {
  entry: number;
  to: number;
}

/** The codes of `checkTopology`: they come after the other problems of a plan, in this order. */
export const topologyCodes: readonly ErrorCode[] = [
  'PLAN_EMPTY',
  'PLAN_DUPLICATE_ID',
  'PLAN_UNKNOWN_DEPENDENCY',
  'PLAN_CYCLE',
  'PLAN_SYNTHESIS_HAS_DEPENDENTS',
];

/** Lists every problem of a plan's graph: duplicate ids, unknown dependencies, cycles, synthesis that is not last. */
export function checkTopology(subtasks: readonly TopologySubtask[]): PlanProblem[] {
  if (subtasks.length === 0) return [emptyPlan];
  const byId = new Map<string, number>();
  for (const [index, { id }] of subtasks.entries()) {
    if (id !== undefined && !byId.has(id)) byId.set(id, index);
  }
  const edges = subtasks.map(({ dependsOn }) => listEdges(dependsOn, byId));
  return [
    ...duplicateIds(subtasks, byId),
    ...unknownDependencies(subtasks, byId),
    ...findCycles(edges).map((cycle) => describeCycle(subtasks, edges, cycle)),
    ...synthesisWithDependents(subtasks, edges),
  ];
}

/** A goal without subtasks needs a model that plans. */
export const noPlanner: PlanProblem = {
  code: 'PLAN_EMPTY',
  message: 'The plan has no subtasks.',
  where: 'subtasks',
  hint: 'Add at least one entry to `subtasks`, or add `planner` to `roles` of a model in heddle.toml.',
  path: ['subtasks'],
};

const emptyPlan: PlanProblem = {
  code: 'PLAN_EMPTY',
  message: 'The plan has no subtasks.',
  where: 'subtasks',
  hint: 'Add at least one entry to `subtasks`.',
  path: ['subtasks'],
};

function listEdges(dependsOn: TopologySubtask['dependsOn'], byId: ReadonlyMap<string, number>): Edge[] {
  const edges = new Map<number, Edge>();
  for (const [entry, id] of dependsOn.entries()) {
    const to = id === undefined ? undefined : byId.get(id);
    if (to !== undefined && !edges.has(to)) edges.set(to, { entry, to });
  }
  return [...edges.values()];
}

function* duplicateIds(
  subtasks: readonly TopologySubtask[],
  byId: ReadonlyMap<string, number>,
): Generator<PlanProblem> {
  for (const [index, { id }] of subtasks.entries()) {
    const first = id === undefined ? undefined : byId.get(id);
    if (id === undefined || first === undefined || first === index) continue;
    const path = ['subtasks', index, 'id'];
    yield {
      code: 'PLAN_DUPLICATE_ID',
      message: `The id ${quoteName(id)} is already used by \`${formatPath(['subtasks', first])}\`.`,
      where: formatPath(path),
      hint: 'Give each subtask its own id.',
      path,
    };
  }
}

function* unknownDependencies(
  subtasks: readonly TopologySubtask[],
  byId: ReadonlyMap<string, number>,
): Generator<PlanProblem> {
  // An unreadable id may be the one that the dependency names.
  if (subtasks.some(({ id }) => id === undefined)) return;
  let searched = 0;
  for (const [index, { id, dependsOn }] of subtasks.entries()) {
    const seen = new Set<string>();
    for (const [entry, dependency] of dependsOn.entries()) {
      if (dependency === undefined || byId.has(dependency) || seen.has(dependency)) continue;
      seen.add(dependency);
      const near = searched < planLimits.suggestions ? nearest(dependency, byId.keys()) : undefined;
      searched += 1;
      const path = ['subtasks', index, 'dependsOn', entry];
      const what = `${quoteName(id ?? '')} depends on ${quoteName(dependency)}, which is not the id of a subtask`;
      yield {
        code: 'PLAN_UNKNOWN_DEPENDENCY',
        message: near === undefined ? `${what}.` : `${what}; did you mean ${quoteName(near)}?`,
        where: formatPath(path),
        hint:
          near === undefined
            ? 'Remove it, or add a subtask with that id.'
            : `Write ${quoteName(near)}, or add a subtask with that id.`,
        path,
      };
    }
  }
}

function describeCycle(
  subtasks: readonly TopologySubtask[],
  edges: readonly Edge[][],
  cycle: readonly number[],
): PlanProblem {
  const [from = 0, next = from] = cycle;
  const entry = edges[from]?.find(({ to }) => to === next)?.entry ?? 0;
  const names = [...cycle, from].map((index) => quoteName(subtasks[index]?.id ?? '').slice(1, -1));
  const path = ['subtasks', from, 'dependsOn', entry];
  return {
    code: 'PLAN_CYCLE',
    message: `The dependencies form a cycle: ${shorten(names).join(' -> ')}.`,
    where: formatPath(path),
    hint: 'Remove one of these dependencies, so that one of the subtasks can start.',
    path,
  };
}

/** Omits the middle of a long cycle. */
function shorten(names: readonly string[]): readonly string[] {
  const half = planLimits.cycleNames / 2;
  if (names.length <= planLimits.cycleNames) return names;
  return [...names.slice(0, half), `(${names.length - 2 * half} more)`, ...names.slice(-half)];
}

function* synthesisWithDependents(
  subtasks: readonly TopologySubtask[],
  edges: readonly Edge[][],
): Generator<PlanProblem> {
  const dependents = subtasks.map((): string[] => []);
  for (const [index, out] of edges.entries()) {
    for (const { to } of out) {
      // A synthesis that depends on itself is a cycle and nothing else.
      if (to !== index && subtasks[to]?.synthesis === true) dependents[to]?.push(quoteName(subtasks[index]?.id ?? ''));
    }
  }
  for (const [index, { id, synthesis }] of subtasks.entries()) {
    const names = dependents[index] ?? [];
    if (!synthesis || names.length === 0) continue;
    const path = ['subtasks', index, 'id'];
    const self = quoteName(id ?? '');
    yield {
      code: 'PLAN_SYNTHESIS_HAS_DEPENDENTS',
      message: `${self} is a synthesis, which runs last, but ${formatList(names)} ${names.length === 1 ? 'depends' : 'depend'} on it.`,
      where: formatPath(path),
      hint: `Remove \`synthesis: true\` from ${self}, or ${self} from their \`dependsOn\`.`,
      path,
    };
  }
}
