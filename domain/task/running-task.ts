import type { ErrorCode } from '../errors/error-codes.ts';
import type { TaskEvent } from '../types/events.ts';
import type { TaskState } from './state.ts';

/** A task as it goes on: what the rules of recovery see of it and may do to it. The workflow gives one, and so does the model test. */
export interface RunningTask {
  readonly state: TaskState;
  /** Milliseconds; the workflow's own clock. */
  readonly now: number;
  record(event: TaskEvent): void;
  /** Stops everything that runs; the task ends as cancelled, or with a code as failed. */
  stop(reason: string, code?: ErrorCode): void;
}
