// Pages of a log that lies partly in the store and partly with the task: together they are the whole, and each is read once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAttemptPage, readEventPage } from '../../../client/http/routes/log-pages.ts';
import { TaskLog } from '../../../client/follow/task-log.ts';
import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import type { ArchivePage, EventOfTask } from '../../../workflows/task/messages.ts';
import { status } from '../cli/shared/support.ts';

/** Sizes of the pages in the store; those that are not here are negative. */
interface Shape {
  stored: number[];
  held: number;
  heldPage: number;
}

const subtaskOf = (place: number): string => (place % 3 === 0 ? 'third' : 'other');

/** An entry that is an event and an attempt at once, as far as a log looks at it. */
const entry = (place: number): EventOfTask & AttemptView =>
  Object.assign(
    { id: place, time: '', type: 'task.paused', text: '', taskId: 'T', subtask: subtaskOf(place) },
    { attempt: place, outcome: 'passed', startedAt: '' },
  ) as unknown as EventOfTask & AttemptView;

/** A task whose log has this shape, and the entries that were read of it so far. */
function taskOf({ stored, held, heldPage }: Shape) {
  const pages: ArchivePage[] = [];
  const gaps: { from: number; to: number }[] = [];
  let last = 0;
  for (const size of stored) {
    const [from, to] = [last + 1, last + Math.abs(size)];
    pages.push({ from, to, sha256: size < 0 ? 'gone' : `${from}`, bytes: 1 });
    if (size < 0) gaps.push({ from, to });
    last = to;
  }
  const total = last + held;
  const count = { entries: 0 };
  const range = (from: number, to: number): (EventOfTask & AttemptView)[] => {
    const entries = Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => entry(from + n));
    count.entries += entries.length;
    return entries;
  };
  const heldBehind = (after: number) =>
    Promise.resolve(range(Math.max(after, last) + 1, Math.min(total, Math.max(after, last) + heldPage)));
  const log = new TaskLog('T', {
    archive: () => Promise.resolve({ events: pages, attempts: pages }),
    events: heldBehind,
    attempts: heldBehind,
    read: ({ sha256 }) => {
      const page = pages.find(({ from }) => `${from}` === sha256);
      return Promise.resolve(sha256 === 'gone' || page === undefined ? undefined : range(page.from, page.to));
    },
  });
  const handle = {
    allEvents: (since?: number, part?: object) => log.events(since ?? 0, part),
    allAttempts: (after?: number, part?: object) => log.attempts(after, part),
    status: () => Promise.resolve({ ...status(), host: 'builder' }),
  };
  const isGap = (place: number): boolean => gaps.some(({ from, to }) => from <= place && place <= to);
  const places = Array.from({ length: total }, (_, n) => n + 1).filter((place) => !isGap(place));
  return { handle, count, places, gaps, total };
}

type Task = ReturnType<typeof taskOf>;

const shape = fc.record({
  stored: fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: -30, max: -1 })), { maxLength: 6 }),
  held: fc.nat({ max: 60 }),
  heldPage: fc.integer({ min: 1, max: 40 }),
});

interface Asked {
  at: number;
  limit: number;
  subtask: string | undefined;
}

async function readNumbers(handle: Task['handle'], kind: 'events' | 'attempts', { at, limit, subtask }: Asked) {
  if (kind === 'events') {
    const { items, ...rest } = await readEventPage(handle, { since: at, limit, subtask });
    return { ...rest, numbers: items.map(({ id }) => id) };
  }
  const { items, ...rest } = await readAttemptPage(handle, { after: at, limit, subtask });
  return { ...rest, numbers: items.map(({ attempt }) => attempt) };
}

test.each(['events', 'attempts'] as const)(
  'pages of %s are together the whole log, and name each gap once',
  async (kind) => {
    const property = fc.asyncProperty(
      shape,
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom(undefined, 'third'),
      async (given, limit, subtask) => {
        const { handle, places, gaps, total } = taskOf(given);
        const seen: number[] = [];
        const missing: { from: number; to: number; host: string | null }[] = [];
        let at: number | null = 0;
        for (let pages = 0; at !== null && pages <= total + 1; pages += 1) {
          const page: Awaited<ReturnType<typeof readNumbers>> = await readNumbers(handle, kind, { at, limit, subtask });
          expect(page.numbers.length).toBeLessThanOrEqual(limit);
          seen.push(...page.numbers);
          missing.push(...page.missing);
          at = page.next;
        }
        expect(at).toBeNull();
        expect(seen).toEqual(places.filter((place) => subtask === undefined || subtaskOf(place) === subtask));
        const named = missing.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
        expect(new Set(named).size).toBe(named.length);
        expect(named).toHaveLength(gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0));
        expect(missing.every(({ host }) => host === 'builder')).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  },
);

async function readAll({ handle }: Task): Promise<number> {
  let pages = 0;
  for (let at: number | null = 0; at !== null; pages += 1) at = (await readEventPage(handle, { since: at })).next;
  return pages;
}

test('twice the log costs twice the reading, not four times', async () => {
  const readBy = async (size: number): Promise<number> => {
    const task = taskOf({ stored: Array.from({ length: size }, () => 1_000), held: 1_000, heldPage: 250 });
    expect(await readAll(task)).toBe(size + 1);
    return task.count.entries;
  };
  const [small, large] = [await readBy(10), await readBy(20)];
  expect(large / small).toBeLessThan(2.2);
});
