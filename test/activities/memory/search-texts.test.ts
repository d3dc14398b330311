// Lessons are found by the words of any language, and not by words that say nothing.
import { expect, test } from 'vitest';
import { recallLessons } from '../../../activities/memory/recall-lessons.ts';
import { TextIndex } from '../../../activities/memory/search-texts.ts';
import type { ListedLesson } from '../../../domain/types/basic/lessons.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const texts = [
  { id: 'notes', text: 'Release notes need a heading for each change.' },
  { id: 'database', text: 'Back up the database before a migration.' },
  { id: 'japanese', text: 'データベースを移行する前に測る' },
  { id: 'file', text: 'Keep release_notes.md below one page.' },
];
const index = new TextIndex(texts);

test.each([
  ['Write the Release Note of March', ['file', 'notes']],
  ['databases and migrations', ['database']],
  ['データベース の 移行', ['japanese']],
  ['Use it for all of the work that you do', []],
  ['Count the files', []],
  ['the change', []],
])('%s finds %j by two words', (query, ids) => {
  expect(index.search(query, 2)).toEqual(ids);
});

test('a person finds a lesson by the beginning of one word', () => {
  expect(index.search('migr', 1, { prefix: true })).toEqual(['database']);
});

const listed = (id: string, text: string, balance: number | null = 0): ListedLesson => ({
  id,
  text,
  about: [],
  balance,
});
const storeOf = (lessons: unknown) => ({ get: () => Promise.resolve(Buffer.from(JSON.stringify({ lessons }))) });
const list = { sha256: 'a'.repeat(64), bytes: 1 };

test('a lesson that did harm in this task is not shown again, and one of a person is', async () => {
  const store = storeOf([
    listed('a', 'Release notes in blue', 1),
    listed('b', 'Release notes in red'),
    listed('c', 'Release notes in green', null),
  ]);
  const recall = async (balances: Record<string, number>) =>
    (await recallLessons(store, { list, recall: 3, balances }, { text: 'release notes', most: 3 }))
      .map(({ id }) => id)
      .sort();
  expect(await recall({})).toEqual(['a', 'b', 'c']);
  expect(await recall({ a: 1, b: 1, c: 9 })).toEqual(['b', 'c']);
});

test('a list that is gone or of another form is no reason to fail', async () => {
  const empty = { get: () => Promise.reject(new HeddleError({ code: 'STORE_MISSING', message: 'gone' })) };
  const query = { text: 'release notes', most: 3 };
  expect(await recallLessons(empty, { list, recall: 3 }, query)).toEqual([]);
  expect(await recallLessons(storeOf('x'), { list, recall: 3 }, query)).toEqual([]);
  expect(await recallLessons(storeOf([]), undefined, query)).toEqual([]);
});
