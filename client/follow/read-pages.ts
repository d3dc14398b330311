import type { Ref } from '../../domain/types/basic/ref.ts';
import type { ArchivePage } from '../../workflows/task/messages.ts';
import { clientLimits } from '../limits/client-limits.ts';

/**
 * Reads a page that a task put into the store of its host. Resolves to undefined where the store does not have it, and rejects
 * where the page is damaged or cannot be read.
 *
 * @example
 * ```ts
 * const readStored: ReadStored = async ({ sha256 }) => pages.get(sha256);
 * ```
 */
export type ReadStored = (ref: Ref) => Promise<unknown>;

/**
 * A range of entries that cannot be read from here; both numbers are included.
 *
 * @example
 * ```ts
 * const { missing } = await task.allEvents();
 * for (const { from, to } of missing) console.log(`events ${from} to ${to} are in another store`);
 * ```
 */
export interface Gap {
  from: number;
  to: number;
}

/**
 * The entries of a log that can be read, and the ranges that cannot.
 *
 * @example
 * ```ts
 * const { items, missing } = await task.allAttempts();
 * ```
 */
export interface Stretch<T> {
  items: T[];
  missing: Gap[];
}

export interface Log<T> {
  /** The pages of the older part. */
  archive: () => Promise<readonly ArchivePage[]>;
  /** A page of the entries behind a number that the task itself holds; empty at the end. */
  page: (after: number) => Promise<T[]>;
  /** The number of the last one on a page that was asked for behind `after`. */
  lastOf: (page: readonly T[], after: number) => number;
  read: ReadStored;
  isItem: (value: unknown) => value is T;
}

/**
 * The part of a log that is asked for.
 *
 * @example
 * ```ts
 * const { items } = await task.allEvents(since, { enough: 100 });
 * const page = items.slice(0, 100);
 * ```
 */
export interface LogPart {
  /** Stops behind the stored or held page with which there are so many: who reads page by page does not read the rest each time. */
  enough?: number;
}

/** All of a log behind a number: first what older runs moved to the store, then what the task holds. */
export async function readLog<T>(log: Log<T>, after = 0, { enough = Infinity }: LogPart = {}): Promise<Stretch<T>> {
  let pages = await log.archive();
  for (let tries = 1; ; tries += 1) {
    const stored = await readArchived(log, pages, { after, before: Infinity, enough });
    const left = enough - stored.items.length;
    if (left <= 0) return stored;
    const held = await readHeld(log, Math.max(after, lastNumber(pages)), { enough: left });
    const now = await log.archive();
    const whole = { items: [...stored.items, ...held], missing: stored.missing };
    if (lastNumber(now) === lastNumber(pages)) return whole;
    // A new run moved more of it meanwhile: what was read may have a hole there.
    const hole = { from: lastNumber(pages) + 1, to: lastNumber(now) };
    if (tries === clientLimits.pages.tries) return { ...whole, missing: [...whole.missing, hole] };
    pages = now;
  }
}

const lastNumber = (pages: readonly ArchivePage[]): number => pages.at(-1)?.to ?? 0;

/** Reads the entries behind a number that the task itself holds. */
export async function readHeld<T>(
  log: Pick<Log<T>, 'page' | 'lastOf'>,
  after = 0,
  { enough = Infinity }: LogPart = {},
): Promise<T[]> {
  const items: T[] = [];
  let at = after;
  for (let count = 0; count < clientLimits.pages.most; count += 1) {
    const page = await log.page(at);
    if (page.length === 0) return items;
    items.push(...page);
    if (items.length >= enough) return items;
    at = log.lastOf(page, at);
  }
  throw new Error(`a log of more than ${clientLimits.pages.most} pages`);
}

/** Pages that follow each other are one range. */
function addMissing(missing: Gap[], range: Gap): void {
  const last = missing.at(-1);
  if (last?.to === range.from - 1) last.to = range.to;
  else missing.push(range);
}

/** Reads the entries that older runs moved to the store, between two numbers (both not included). A page that is not whole counts as missing. */
export async function readArchived<T>(
  { read, isItem }: Pick<Log<T>, 'read' | 'isItem'>,
  pages: readonly ArchivePage[],
  { after, before, enough = Infinity }: { after: number; before: number } & LogPart,
): Promise<Stretch<T>> {
  const stretch: Stretch<T> = { items: [], missing: [] };
  for (const { from, to, sha256, bytes } of pages) {
    const range = { from: Math.max(from, after + 1), to: Math.min(to, before - 1) };
    if (range.from > range.to) continue;
    if (stretch.items.length >= enough) break;
    // A page that is damaged or cannot be read counts as missing too: the others are still worth seeing.
    const page = await read({ sha256, bytes }).catch(() => undefined);
    if (Array.isArray(page) && page.length === to - from + 1 && page.every(isItem))
      stretch.items.push(...page.slice(range.from - from, range.to - from + 1));
    else addMissing(stretch.missing, range);
  }
  return stretch;
}
