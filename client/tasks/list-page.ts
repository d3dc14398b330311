import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import { TaskHandle } from '../sdk/task-handle.ts';
import type { TaskListing } from '../sdk/task-listing.ts';
import { listTaskPage, type ListedPage } from '../sdk/task-page.ts';
import { buildTaskRow, type TaskRow } from './task-row.ts';
import { buildPlainQuery, buildTaskQuery, fitsText, type TaskFilter } from './task-filter.ts';

export interface PageRequest extends TaskFilter {
  /** Open, and a subtask was tried more than once or waits out its environment. */
  trouble?: boolean | undefined;
  /** The most rows of a page. */
  limit: number;
  from: Uint8Array | null;
}

/**
 * Reads a page of tasks with the progress of the open ones. Where the server cannot filter, pages without a match are passed over, up to a
 * bound; then a page may be empty although more follow.
 */
export async function listPage(
  client: HeddleClient,
  request: PageRequest,
): Promise<{ items: TaskRow[]; next: Uint8Array | null }> {
  const filter = request.trouble === true ? { ...request, states: ['open'] } : request;
  let { from } = request;
  for (let pages = 1; ; pages += 1) {
    const page = await readPage(client, filter, { size: request.limit, from });
    const rows = await addProgress(client, page.items);
    const items = request.trouble === true ? rows.filter(({ retrying }) => (retrying ?? []).length > 0) : rows;
    from = page.next;
    if (items.length > 0 || from === null || pages === clientLimits.list.pages) return { items, next: from };
  }
}

async function readPage(
  client: HeddleClient,
  filter: TaskFilter,
  where: { size: number; from: Uint8Array | null },
): Promise<ListedPage> {
  try {
    const page = await listTaskPage(client.temporal, { query: buildTaskQuery(filter), ...where });
    return { ...page, items: page.items.filter((task) => fitsText(task, filter)) };
  } catch (error) {
    // A server without our search attributes refuses a question about them.
    if (!(error instanceof HeddleError) || error.code !== 'TEMPORAL_REFUSED') throw error;
    const page = await listTaskPage(client.temporal, { query: buildPlainQuery(filter), ...where });
    return { ...page, items: page.items.filter((task) => fitsText(task, filter)) };
  }
}

/** All open tasks of a page are asked at once; none is waited for longer than the others. */
async function addProgress(client: HeddleClient, tasks: readonly TaskListing[]): Promise<TaskRow[]> {
  const closing = AbortSignal.timeout(clientLimits.list.progress);
  const ask = async (id: string): Promise<StatusView | undefined> => {
    const handle = new TaskHandle(client.temporal, id, { taskQueue: client.taskQueue, closing });
    return handle.status({ server: false }).catch(() => undefined);
  };
  const isAsked = ({ endedAt }: TaskListing): boolean => endedAt === null;
  const hasWorker = tasks.some(isAsked) && (await client.hasWorker());
  return Promise.all(
    tasks.map(async (task) => buildTaskRow(task, hasWorker && isAsked(task) ? await ask(task.id) : undefined)),
  );
}
