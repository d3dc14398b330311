import type { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { TaskListing } from '../sdk/task-listing.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { isNoWorker } from '../temporal/explain-error.ts';
import { askToLook } from './ask-to-look.ts';

/** The status of a task, or how the server last listed it and why the task itself does not answer. */
export type StatusAnswer = { status: StatusView } | { listing: TaskListing | undefined; problem: HeddleError };

/** Reads the status of a task. Without a worker the server still knows how the task was. */
export async function readStatus(client: HeddleClient, handle: TaskHandle): Promise<StatusAnswer> {
  try {
    return { status: await askToLook(() => handle.status()) };
  } catch (error) {
    if (!isNoWorker(error)) throw error;
    const [listing] = await client.list(`WorkflowId = '${handle.workflowId}'`).catch(() => []);
    return { listing, problem: error };
  }
}
