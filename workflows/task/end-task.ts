import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import { summariseTask } from '../../domain/views/task-summary.ts';
import type { SharedActivities } from '../../domain/types/activities.ts';
import { cancelOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/** The plan or the machine does not fit: the task fails with the code that says so. */
export function refuseBy(run: TaskRun, error: unknown): never {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  const isOurs = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  const code = (isOurs ? cause.type : undefined) ?? 'PREPARE_FAILED';
  const reason = isOurs ? cause.message : `The plan could not be prepared: ${cause?.message ?? error.message}`;
  endRefused(run, reason, code, isOurs ? (cause.details ?? []) : []);
}

export function endRefused(run: TaskRun, reason: string, code: string, details: unknown[]): never {
  end(run, 'failed', reason, code);
  const failure = ApplicationFailure.nonRetryable(reason, code, ...details);
  failure.stack = '';
  throw failure;
}

export function end(run: TaskRun, state: 'completed' | 'failed' | 'cancelled', reason: string, code?: string): void {
  const summary = summariseTask(run.state, run.now);
  run.record({ type: 'task.ended', state, reason, summary, ...(code === undefined ? {} : { code }) });
  run.publish();
}

/** A person stopped the task: it cancels itself, so that it ends in Temporal's own words too. */
export async function stopped(): Promise<never> {
  const { cancelTask } = proxyActivities<SharedActivities>(cancelOptions);
  await CancellationScope.nonCancellable(cancelTask);
  await condition(() => false);
  throw new Error('a cancelled workflow went on');
}
