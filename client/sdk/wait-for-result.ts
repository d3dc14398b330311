import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { TaskResult } from '../../workflows/task/messages.ts';
import { cancelled, explainError, fromFailure } from '../temporal/explain-error.ts';
import type { ServerEnd } from './server-end.ts';

/** Waits for the end of a task. Where it was terminated, timed out or broken, `readEnd` tells why by the server. */
export async function waitForResult(
  handle: WorkflowHandle,
  about: { taskId: string; taskQueue: string },
  readEnd: () => Promise<ServerEnd | undefined>,
): Promise<TaskResult> {
  const { taskId } = about;
  try {
    return (await handle.result()) as TaskResult;
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw explainError(error, about);
    if (error.cause instanceof ApplicationFailure)
      throw fromFailure(error.cause, { task: taskId, unknown: 'TASK_FAILED' });
    if (error.cause instanceof CancelledFailure) throw cancelled(taskId);
    const { reason } = (await readEnd()) ?? { reason: error.message };
    throw new HeddleError({
      code: 'TASK_FAILED',
      message: `The task ${taskId} failed: ${reason}`,
      hint: `\`heddle report ${taskId}\` shows what was tried.`,
    });
  }
}
