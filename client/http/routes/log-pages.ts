import type { Gap, Stretch } from '../../follow/read-pages.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';

interface Asked {
  subtask?: string | undefined;
  limit?: number | undefined;
}

/** The parts of a task that its log is read by. */
type Logged = Pick<TaskHandle, 'allEvents' | 'allAttempts' | 'status'>;

const most = 1_000;

/** An entry of a log with its number, or its position. */
interface Placed<T> {
  place: number;
  entry: T;
}

interface LogPage<T> {
  items: T[];
  next: number | null;
  missing: (Gap & { host: string | null })[];
}

/** A page of events behind a number, with those that are in another store. */
export function readEventPage(handle: Logged, { since = 0, subtask, limit }: Asked & { since?: number | undefined }) {
  return readPage(handle, {
    ...{ after: since, limit },
    read: (after, enough) => handle.allEvents(after, { enough }),
    place: ({ items }) => items.map((entry) => ({ place: entry.id, entry })),
    fits: (event) => subtask === undefined || ('subtask' in event && event.subtask === subtask),
  });
}

/** A page of attempts behind a position. Positions count all attempts, whatever subtask is asked for. */
export function readAttemptPage(handle: Logged, { after = 0, subtask, limit }: Asked & { after?: number | undefined }) {
  return readPage(handle, {
    ...{ after, limit },
    read: (from, enough) => handle.allAttempts(from, { enough }),
    place: placeBehind,
    fits: (attempt) => subtask === undefined || attempt.subtask === subtask,
  });
}

interface PageParts<T> {
  after: number;
  limit: number | undefined;
  read: (after: number, enough: number) => Promise<Stretch<T>>;
  place: (part: Stretch<T>, after: number) => Placed<T>[];
  fits: (entry: T) => boolean;
}

/** Reads on until the page is full and one more is known, or the log ends. */
async function readPage<T>(
  handle: Logged,
  { after, limit = most, read, place, fits }: PageParts<T>,
): Promise<LogPage<T>> {
  const fitting: Placed<T>[] = [];
  const missing: Gap[] = [];
  let from = after;
  for (let isLast = false; !isLast && fitting.length <= limit;) {
    const part = await askToLook(() => read(from, most + 1));
    const placed = place(part, from);
    fitting.push(...placed.filter(({ entry }) => fits(entry)));
    missing.push(...part.missing);
    isLast = part.items.length <= most;
    from = placed.at(-1)?.place ?? from;
  }
  const page = fitting.slice(0, limit);
  const next = page.length < fitting.length ? (page.at(-1)?.place ?? null) : null;
  // The page behind this one names the rest.
  const here = missing.filter((gap) => next === null || gap.from <= next);
  return { items: page.map(({ entry }) => entry), next, missing: await nameHost(handle, here) };
}

/** Entries behind a position, with their positions: those of ranges that are missing are taken. */
function placeBehind<T>({ items, missing }: Stretch<T>, after: number): Placed<T>[] {
  let place = after;
  let gap = 0;
  return items.map((entry) => {
    place += 1;
    // Ranges are in order, so each is looked at once.
    for (let range = missing[gap]; range !== undefined && range.from <= place; range = missing[gap]) {
      place = Math.max(place, range.to + 1);
      gap += 1;
    }
    return { place, entry };
  });
}

/** The host of the task has what cannot be read here. */
async function nameHost(handle: Logged, missing: readonly Gap[]): Promise<(Gap & { host: string | null })[]> {
  if (missing.length === 0) return [];
  const { host } = await handle.status({ server: false });
  return missing.map((gap) => ({ ...gap, host }));
}
