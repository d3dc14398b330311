import type { Gap, Stretch } from '../../follow/read-pages.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';

interface Asked {
  subtask?: string | undefined;
  limit?: number | undefined;
}

const most = 1_000;

/** A page of events behind a number, with those that are in another store. */
export async function readEventPage(
  handle: TaskHandle,
  { since = 0, subtask, limit = most }: Asked & { since?: number | undefined },
) {
  const all = await askToLook(() => handle.allEvents(since));
  const items = all.items.filter((event) => subtask === undefined || ('subtask' in event && event.subtask === subtask));
  const page = items.slice(0, limit);
  const next = page.length < items.length ? (page.at(-1)?.id ?? null) : null;
  return { items: page, next, missing: await nameHost(handle, all.missing) };
}

/** A page of attempts behind a position. Positions count all attempts, whatever subtask is asked for. */
export async function readAttemptPage(
  handle: TaskHandle,
  { after = 0, subtask, limit = most }: Asked & { after?: number | undefined },
) {
  const all = await askToLook(() => handle.allAttempts());
  const items = placed(all).filter(
    ({ place, attempt }) => place > after && (subtask === undefined || attempt.subtask === subtask),
  );
  const page = items.slice(0, limit);
  const next = page.length < items.length ? (page.at(-1)?.place ?? null) : null;
  const missing = all.missing.filter(({ to }) => to > after);
  return { items: page.map(({ attempt }) => attempt), next, missing: await nameHost(handle, missing) };
}

/** Entries with their positions: those of ranges that are missing are taken. */
function placed<T>({ items, missing }: Stretch<T>): { place: number; attempt: T }[] {
  let place = 0;
  return items.map((attempt) => {
    place += 1;
    for (let gap = gapAt(missing, place); gap !== undefined; gap = gapAt(missing, place)) place = gap.to + 1;
    return { place, attempt };
  });
}

const gapAt = (missing: readonly Gap[], place: number): Gap | undefined =>
  missing.find(({ from, to }) => from <= place && place <= to);

/** The host of the task has what cannot be read here. */
async function nameHost(handle: TaskHandle, missing: readonly Gap[]): Promise<(Gap & { host: string | null })[]> {
  if (missing.length === 0) return [];
  const { host } = await handle.status({ server: false });
  return missing.map((gap) => ({ ...gap, host }));
}
