import { dropStale } from '../replan/replan.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { Finished, LastTry, Outcome } from '../types/outcome.ts';
import { countUse } from './count-use.ts';
import { endFailed, pickRestored } from './end-failed.ts';
import { runningRecord } from './running-record.ts';
import { findGrantShortage, suspendAttempt } from './suspend-attempt.ts';

/** Takes what an execution came to. What is returned goes on to its verification; null: the attempt has ended or stands still. */
export function takeOutcome(task: RunningTask, id: string, outcome: Outcome): Finished | null {
  const lacks = findGrantShortage(task.state, id, outcome);
  countUse(task, id, outcome);
  if (dropStale(task, id, outcome.kind === 'failed' ? outcome.files : [])) return null;
  switch (outcome.kind) {
    case 'finished':
      return outcome;
    case 'suspended':
      suspendAttempt(task, id, outcome, lacks);
      return null;
    case 'failed':
      if (outcome.failure.type === 'cancelled' && task.state.control.cancelling !== null) {
        const { attempt } = runningRecord(task.state, id);
        task.record({ type: 'attempt.cancelled', subtask: id, attempt, files: outcome.files ?? [] });
        return null;
      }
      endFailed(
        task,
        id,
        { failure: outcome.failure, files: outcome.files ?? [], ...pickRestored(outcome) },
        { phase: 'execute', checkpoint: null },
        false,
      );
      return null;
  }
}

/** A call that failed for good: its retry policy is spent, or there was none. */
export interface Lost {
  failure: Failure;
  lastTry?: LastTry;
}

export function takeLostExecution(task: RunningTask, id: string, lost: Lost): void {
  if (lost.lastTry !== undefined) countUse(task, id, lost.lastTry);
  if (dropStale(task, id)) return;
  endFailed(task, id, { failure: lost.failure }, { phase: 'execute', checkpoint: null }, true);
}
