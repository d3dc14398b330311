import type { EventOfTask } from '../../workflows/messages.ts';
import type { TaskHandle } from '../task-handle.ts';
import type { Ports } from '../cli/ports.ts';

export interface Archived {
  events: EventOfTask[];
  /** What this machine's store does not have. */
  missing: { from: number; to: number }[];
}

/** Events that older runs of a task moved to the store, between two numbers (both not included). */
export async function readArchived(
  ports: Pick<Ports, 'readArchive'>,
  handle: Pick<TaskHandle, 'id' | 'archivedEvents'>,
  { after, before }: { after: number; before: number },
): Promise<Archived> {
  const found: Archived = { events: [], missing: [] };
  for (const { from, to, sha256, bytes } of await handle.archivedEvents()) {
    if (to <= after || from >= before) continue;
    const page = await ports.readArchive({ sha256, bytes });
    if (page === undefined) found.missing.push({ from: Math.max(from, after + 1), to: Math.min(to, before - 1) });
    else
      found.events.push(
        ...page
          .filter(isEvent)
          .map((event) => ({ ...event, taskId: handle.id }))
          .filter(({ id }) => id > after && id < before),
      );
  }
  return found;
}

/** Only we write these pages; this tells a damaged one. */
function isEvent(value: unknown): value is EventOfTask {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'number' &&
    'time' in value &&
    'type' in value
  );
}
