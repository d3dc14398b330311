// Every sentence of the pages that promise something is in a table with the tests that hold it: a new promise without a test is red.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { hasTest, sentencesOf } from './read-promises.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const sentence = z.union([
  z.strictObject({ says: z.string(), tests: z.array(z.string()).min(1) }),
  z.strictObject({ says: z.string(), kind: z.enum(['explanation', 'advice', 'limitation', 'reference']) }),
]);
const table = z.record(z.string(), z.array(sentence)).parse(parse(read('test/docs/promises.yaml')));

test('the pages of the table are those that promise something', () => {
  expect(Object.keys(table)).toEqual(['guarantees.md', 'sandbox.md']);
});

describe.each(Object.entries(table))('%s', (page, rows) => {
  test('each sentence is in the table, in its order, and no other', () => {
    expect(rows.map(({ says }) => says)).toEqual(sentencesOf(read(`docs/${page}`)));
  });

  test('each test of the table exists and is not skipped for good', () => {
    const named = new Set(rows.flatMap((row) => ('tests' in row ? row.tests : [])));
    const missing = [...named].filter((name) => {
      const [, file = '', title = ''] = /^(test\/\S+\.test\.ts) > (.+)$/.exec(name) ?? [];
      return file === '' || !existsSync(join(root, file)) || !hasTest(read(file), title);
    });
    expect(missing).toEqual([]);
  });
});

describe('the table is red', () => {
  const [page] = [
    '# A\n\n- One holds. Two (`x`) holds.\n\n| What | How |\n| --- | --- |\n| a | b |\n\n```sh\nno\n```\n',
  ];

  test('where a page says more', () => {
    expect(sentencesOf(page)).toEqual(['One holds.', 'Two (`x`) holds.', 'a / b']);
  });

  test.each([
    ['a test', "test('it holds', () => {});", true],
    ['a table of tests', 'test.each([1])(\n  `it holds`, () => {});', true],
    ['a test that only runs on some machines', "test.skipIf(isMac)('it holds', () => {});", true],
    ['a test of another name', "test('it holds well', () => {});", false],
    ['a text that is no test', "expect(text).toBe('it holds');", false],
    ['a test that never runs', "test.skip('it holds', () => {});", false],
    ['a test that is yet to be written', "test.todo('it holds');", false],
  ])('or not: %s', (_, source, isThere) => {
    expect(hasTest(source, 'it holds')).toBe(isThere);
  });
});
