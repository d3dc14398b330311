import type { AttemptRecord } from '../types/attempt-record.ts';
import { recordOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';

/** The record of the attempt that runs. */
export function runningRecord(state: TaskState, id: string): AttemptRecord {
  const record = recordOf(state, id);
  if (record?.outcome !== 'running') throw new Error(`no attempt of ${id} runs`);
  return record;
}
