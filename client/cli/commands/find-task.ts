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
