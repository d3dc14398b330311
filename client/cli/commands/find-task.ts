import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import type { Endpoint } from '../../ports/service.ts';

/** Finds a task by its id or as `latest`, acts on it, and closes the connection. */
export function withTask<T>(
  context: Context,
  task: string,
  action: (handle: TaskHandle, endpoint: Endpoint) => Promise<T>,
  options: { anyVersion?: boolean } = {},
): Promise<T> {
  return withEndpoint(context, async (endpoint) => action(await endpoint.client.find(task), endpoint), options);
}

/** To look, a worker is needed: there is nothing that could be sent instead, as the hint for messages says. */
export async function looking<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof HeddleError) || error.code !== 'NO_WORKER') throw error;
    throw new HeddleError({ ...error.toJSON(), hint: 'Start one with `heddle worker`; the task itself is safe.' });
  }
}
