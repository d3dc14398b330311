import type { ErrorCode } from '../errors/error-codes.ts';
import { countIndependent, openBranch } from '../schedule/schedule.ts';
import { transitions } from '../task/phase-transitions.ts';
import { rowOf, rowsOf, subtaskOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { TaskState } from '../task/state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import { hasEnded } from '../types/subtask.ts';
import { endBehind } from './end-dependent.ts';

/**
 * A failed subtask blocks what is behind it, and the synthesis that waits for everything but other syntheses. A critical one stops the
 * whole task.
 */
export function failForGood(
  task: RunningTask,
  failed: string,
  reason: string,
  code: ErrorCode = 'CRITICAL_FAILED',
): void {
  const { state } = task;
  task.record({ type: 'subtask.failed', subtask: failed, reason });
  const syntheses = rowOf(state, failed).synthesis
    ? []
    : rowsOf(state).filter(({ synthesis, id }) => synthesis && !hasEnded(statusOf(subtaskOf(state, id))));
  const behind = new Set([...openBranch(state, failed), ...syntheses.map(({ id }) => id)]);
  const independent = countIndependent(state, failed);
  for (const subtask of behind) {
    if (!canBlock(state, subtask)) continue;
    const why = `it needs ${failed}, which failed.`;
    endBehind(task, subtask, why, { type: 'subtask.blocked', independent });
  }
  if (rowOf(state, failed).critical === true) task.stop(`${failed} is critical and failed: ${reason}`, code);
}

/** Dependents that were freed before it failed may have begun: the end of the task, which follows, stops them. */
function canBlock(state: TaskState, id: string): boolean {
  const { phase, remedy } = subtaskOf(state, id);
  if (remedy !== undefined) return false;
  return (
    transitions[phase.name]['subtask.blocked'] !== undefined || (phase.name === 'running' && phase.stale !== undefined)
  );
}
