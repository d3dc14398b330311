import { addEmphasis } from '../failure/recovery-strategies.ts';
import { rowOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { ResumePoint } from '../types/events.ts';
import type { Owed } from '../types/remedy.ts';
import type { Finished } from '../types/outcome.ts';
import { afterAttemptFailed } from './after-attempt.ts';
import { runningRecord } from './running-record.ts';

/** Closes the record of an attempt that failed, and decides what follows. */
export function endFailed(
  task: RunningTask,
  id: string,
  seen: Partial<AttemptRecord> & { failure: Failure },
  resumeFrom: ResumePoint,
  isSpent: boolean,
  owed?: Owed,
): void {
  // The next attempt hears the plan's own words about this type of failure.
  const failure = addEmphasis(seen.failure, rowOf(task.state, id).recovery);
  const record: AttemptRecord = {
    ...runningRecord(task.state, id),
    ...seen,
    endedAt: new Date(task.now).toISOString(),
    outcome: 'failed',
    failure,
  };
  afterAttemptFailed(task, record, failure, { resumeFrom, isSpent, ...(owed === undefined ? {} : { owed }) });
}

export const pickRestored = ({ restored }: Pick<Finished, 'restored'>): Pick<AttemptRecord, 'restored'> =>
  restored === undefined ? {} : { restored };
