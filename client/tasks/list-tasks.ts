import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Endpoint } from '../ports/service.ts';
import type { TaskListing } from '../sdk/task-listing.ts';

export interface ListedTasks {
  /** Newest first. */
  tasks: TaskListing[];
  /** Why the open ones make no progress. */
  problem?: HeddleError;
}

/** Lists all tasks. The server remembers how open tasks were; while no worker is there they do not change, and the problem says so. */
export async function listTasks(endpoint: Endpoint): Promise<ListedTasks> {
  const tasks = (await endpoint.client.list()).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const ends: readonly string[] = ['completed', 'failed', 'cancelled'];
  if (tasks.every(({ state }) => ends.includes(state)) || (await endpoint.client.hasWorker())) return { tasks };
  return { tasks, problem: noWorkerAt(endpoint) };
}

export const noWorkerAt = ({ client, address }: Endpoint): HeddleError =>
  new HeddleError({
    code: 'NO_WORKER',
    message: 'No worker is responding: the open tasks make no progress',
    where: `task queue ${client.taskQueue} at ${address}`,
    hint: 'Start one with `heddle worker`.',
  });
