// A log that lies partly in the store and partly with the task, in pages: nothing twice, nothing lost, what is missing is named.
import { expect, test } from 'vitest';
import { readArchived, readLog, type Log } from '../../../client/follow/read-pages.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import type { ArchivePage } from '../../../workflows/task/messages.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const page = (from: number, to: number): ArchivePage => ({ from, to, sha256: `${from}-${to}`, bytes: 1 });
const stored: Log<number>['read'] = ({ sha256 }) => {
  const [from = 0, to = 0] = sha256.split('-').map(Number);
  return Promise.resolve(upTo(from, to));
};

/** A task of `total` items that holds those behind its archive, a few at a time. */
function log(archives: ArchivePage[][], total: number, given: Partial<Log<number>> = {}): Log<number> {
  let asked = 0;
  const archive = (): ArchivePage[] => archives[Math.min(asked, archives.length - 1)] ?? [];
  return {
    archive: () => {
      const now = archive();
      asked += 1;
      return Promise.resolve(now);
    },
    page: (after) => Promise.resolve(upTo(Math.max(after, archive().at(-1)?.to ?? 0) + 1, total).slice(0, 3)),
    lastOf: (items, after) => items.at(-1) ?? after,
    read: stored,
    isItem: isNumber,
    ...given,
  };
}

test('what is in the store comes first, then the pages of the task until an empty one', async () => {
  expect(await readLog(log([[page(1, 4), page(5, 9)]], 17))).toEqual({ items: upTo(1, 17), missing: [] });
  expect(await readLog(log([[page(1, 4), page(5, 9)]], 17), 6)).toEqual({ items: upTo(7, 17), missing: [] });
  expect(await readLog(log([[]], 0))).toEqual({ items: [], missing: [] });
});

test('a page that is elsewhere, too short or damaged is named, not left out in silence', async () => {
  const pages = [page(1, 4), page(5, 9), page(10, 12)];
  const without = (sha256: string, instead: unknown) => (ref: { sha256: string; bytes: number }) =>
    ref.sha256 === sha256 ? Promise.resolve(instead) : stored(ref);
  for (const instead of [undefined, [5, 6], [5, 6, 7, 8, 'x'], { not: 'a list' }]) {
    const read = without('5-9', instead);
    expect(await readLog(log([pages], 14, { read }))).toEqual({
      items: [...upTo(1, 4), ...upTo(10, 14)],
      missing: [{ from: 5, to: 9 }],
    });
  }
  const read = without('5-9', undefined);
  expect(await readArchived({ read, isItem: isNumber }, pages, { after: 5, before: 11 })).toEqual({
    items: [10],
    missing: [{ from: 6, to: 9 }],
  });
});

test('what a new run moved to the store while it was read is read again', async () => {
  const grown = [page(1, 4), page(5, 9)];
  expect(await readLog(log([[page(1, 4)], grown], 12))).toEqual({ items: upTo(1, 12), missing: [] });
});

test('a log that is moved again and again is told with the hole that it may have', async () => {
  const archives = Array.from({ length: clientLimits.pages.tries + 1 }, (_, n) => [page(1, n + 1)]);
  const { missing } = await readLog(log(archives, 20));
  expect(missing).toEqual([{ from: clientLimits.pages.tries + 1, to: clientLimits.pages.tries + 1 }]);
});

test('a task whose pages never end is told apart from a long one', async () => {
  await expect(readLog(log([[]], 0, { page: () => Promise.resolve([1]) }))).rejects.toThrow(/pages/);
});
