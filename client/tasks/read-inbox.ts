import type { Endpoint } from '../ports/service.ts';
import type { Inbox } from '../sdk/inbox.ts';
import { askToLook } from './ask-to-look.ts';
import { noWorkerAt } from './list-tasks.ts';

/**
 * Reads the open decisions of all tasks. A task that does not answer is named beside the others.
 *
 * @throws HeddleError `NO_WORKER` where tasks do not answer because nobody is there to answer for them.
 */
export async function readInbox(endpoint: Endpoint): Promise<Inbox> {
  const inbox = await askToLook(() => endpoint.client.inbox());
  if (inbox.silent.length > 0 && !(await endpoint.client.hasWorker())) throw noWorkerAt(endpoint);
  return inbox;
}
