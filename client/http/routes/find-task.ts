import type { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Endpoint } from '../../ports/service.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import type { TaskListing } from '../../sdk/task-listing.ts';
import { Refusal } from '../request/send-problem.ts';
import { readParam, type RawCall } from '../route.ts';

/** The task of the path. `latest` is one where nothing is changed. */
export async function findTask(call: RawCall): Promise<{ endpoint: Endpoint; handle: TaskHandle }> {
  const endpoint = await call.parts.endpoint();
  const id = readParam(call, 't');
  const isRead = call.request.method === 'GET' || call.request.method === 'HEAD';
  return { endpoint, handle: isRead ? await endpoint.client.find(id) : endpoint.client.task(id) };
}

/** Nobody answers for the task: this is how the server listed it last. */
export const silentTask = (problem: HeddleError, listing: TaskListing | undefined): Refusal =>
  new Refusal(problem, { facts: listing === undefined ? {} : { listing } });
