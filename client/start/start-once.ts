import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/**
 * Starts a task that may have been started by the same request before: the server keeps ids for good, and with each task the hash of
 * what it was started with.
 *
 * @throws HeddleError `KEY_REUSED` where the task was started with something else.
 */
export async function startOnce(
  client: HeddleClient,
  { id, hash }: { id: string; hash: string },
  start: () => Promise<TaskHandle>,
): Promise<TaskHandle> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof HeddleError) || error.code !== 'TASK_EXISTS') throw error;
    const handle = client.task(id);
    const { memo } = await client.temporal.workflow.getHandle(handle.workflowId).describe();
    const key = memo?.['key'];
    // Without a hash it was started by another way, under an id that somebody chose.
    if (key === undefined) throw error;
    if (key === hash) return handle;
    throw new HeddleError({
      code: 'KEY_REUSED',
      message: 'This key started a task with another body',
      where: `task ${id}`,
      hint: 'Use a new key for another task.',
    });
  }
}
