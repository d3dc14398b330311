import type { PlannedSubtask } from '../api/wire.ts';
import type { GraphNode } from './plan-graph.tsx';

/** The executor, in a word or two. */
function describeExecutor(executor: unknown): string {
  if (typeof executor === 'string') return executor;
  if (typeof executor !== 'object' || executor === null || !('kind' in executor)) return 'agent';
  if (executor.kind === 'command' && 'run' in executor && Array.isArray(executor.run)) return executor.run.join(' ');
  return String(executor.kind);
}

export function describeSubtask({ id, dependsOn = [], executor, tier, synthesis }: PlannedSubtask): GraphNode {
  const parts = [
    describeExecutor(executor),
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    ...(synthesis === true ? ['puts all together'] : []),
  ];
  return { id, dependsOn, note: parts.join(', ') };
}
