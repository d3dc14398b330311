import type { SubtaskView } from '../../../domain/views/task-status.ts';

export interface Placed {
  subtask: SubtaskView;
  /** How many dependencies are above it. */
  depth: number;
}

/** The plan as a tree: each subtask below the deepest of its dependencies, in the order of the plan. */
export function treeOrder(subtasks: readonly SubtaskView[]): Placed[] {
  const depths = computeDepths(subtasks);
  const children = new Map<string | null, SubtaskView[]>();
  for (const subtask of subtasks) {
    const parent = findParent(subtask, depths);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [subtask]);
    else siblings.push(subtask);
  }
  const placed: Placed[] = [];
  const stack = [...(children.get(null) ?? [])].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    placed.push({ subtask: next, depth: depths.get(next.id) ?? 0 });
    stack.push(...(children.get(next.id) ?? []).slice().reverse());
  }
  return placed;
}

/** A plan has no cycles, and its order need not follow the dependencies. */
function computeDepths(subtasks: readonly SubtaskView[]): Map<string, number> {
  const byId = new Map(subtasks.map((subtask) => [subtask.id, subtask]));
  const depths = new Map<string, number>();
  const stack = [...subtasks];
  for (let subtask = stack.pop(); subtask !== undefined; subtask = stack.pop()) {
    if (depths.has(subtask.id)) continue;
    const dependencies = subtask.dependsOn.flatMap((id) => byId.get(id) ?? []);
    const open = dependencies.filter(({ id }) => !depths.has(id));
    if (open.length > 0) stack.push(subtask, ...open);
    else depths.set(subtask.id, Math.max(-1, ...dependencies.map(({ id }) => depths.get(id) ?? 0)) + 1);
  }
  return depths;
}

function findParent(subtask: SubtaskView, depths: ReadonlyMap<string, number>): string | null {
  let parent: string | null = null;
  for (const id of subtask.dependsOn) {
    const depth = depths.get(id);
    if (depth !== undefined && (parent === null || depth > (depths.get(parent) ?? 0))) parent = id;
  }
  return parent;
}
