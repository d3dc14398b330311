import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../domain/errors/error-codes.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { ServerEnd } from '../sdk/server-end.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** How a task ended, by the server's word alone. */
export type TaskEnd = Pick<ServerEnd, 'state' | 'reason' | 'error'>;

/** Codes of tasks that ran and did not come to a good end. */
const haveRun: readonly ErrorCode[] = ['TASK_FAILED', 'BUDGET_EXHAUSTED'];

/**
 * Reads how a task ended, after the event that tells so, if there was one. Between a task's last event and its end on the server there
 * is a moment, which is waited for; undefined where the server still says that the task is open.
 *
 * @throws HeddleError for a task that never could run, with its own code.
 */
export async function readTaskEnd(handle: TaskHandle, event: EventOfTask | undefined): Promise<TaskEnd | undefined> {
  const last = Date.now() + clientLimits.closing.most;
  for (;;) {
    const isLast = Date.now() > last;
    const end = await handle.end().catch((error: unknown) => {
      if (event === undefined || isLast) throw error;
      return undefined;
    });
    if (end !== undefined) {
      if (end.error !== undefined && !haveRun.includes(end.error.code)) throw end.error;
      return { ...end, reason: end.reason === '' ? (event?.text ?? '') : end.reason };
    }
    if (isLast) return undefined;
    await sleep(clientLimits.closing.poll);
  }
}

/** The error for a task that ended without success, with the last summary of the task where it can be had. */
export async function explainTaskEnd(handle: TaskHandle, { state, reason, error }: TaskEnd): Promise<HeddleError> {
  const summary = await handle.status().then(
    (status) => status.summary,
    () => reason,
  );
  return new HeddleError({
    code: state === 'cancelled' ? 'TASK_CANCELLED' : (error?.code ?? 'TASK_FAILED'),
    message: `The task ${handle.id} ${state === 'cancelled' ? 'was cancelled' : 'failed'}: ${summary}`,
    hint: `\`heddle report ${handle.id}\` shows what was tried.`,
  });
}
