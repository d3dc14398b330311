import { clientLimits } from '../limits/client-limits.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import { listTaskPage } from '../sdk/task-page.ts';
import { buildTaskQuery } from './task-filter.ts';

/** The ids of the open tasks of a project. */
export async function tasksOfProject(client: HeddleClient, project: string): Promise<ReadonlySet<string>> {
  const query = buildTaskQuery({ states: ['open'], project });
  const ids = new Set<string>();
  for (let from: Uint8Array | null = null; ;) {
    const page: Awaited<ReturnType<typeof listTaskPage>> = await listTaskPage(client.temporal, {
      query,
      size: clientLimits.list.most,
      from,
    });
    for (const { id } of page.items) ids.add(id);
    from = page.next;
    if (from === null) return ids;
  }
}
