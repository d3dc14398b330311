import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Cancel } from '../../workflows/task/messages.ts';
import { ended } from '../temporal/explain-error.ts';
import { endStateOf } from './server-end.ts';

/** Asks the server to cancel a task. Its reason says who asks and why: the task tells it as its own. */
export async function cancelTask(
  client: Client,
  { handle, taskId }: { handle: WorkflowHandle; taskId: string },
  { reason, by }: Cancel,
): Promise<void> {
  const { connection, options } = client;
  // The server takes the cancellation of a closed workflow without a word.
  const { status } = await handle.describe();
  if (endStateOf(status.name) !== undefined) throw ended(taskId);
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason}`;
  await connection.workflowService.requestCancelWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId: handle.workflowId },
    requestId: randomUUID(),
    identity: by ?? options.identity,
    reason: `${by ?? 'someone'} cancelled it${why}`,
  });
}
