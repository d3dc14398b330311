// SQLite is loaded when it is needed: on a Node without it, importing works and the error says what is missing.
import { expect, test } from 'vitest';
import { loadSqlite, openDatabase } from '../../../activities/store/open-database.ts';

test('a database opens', () => {
  const database = openDatabase(':memory:', { timeout: 10 });
  expect(database.prepare('SELECT 1 AS one').get()).toMatchObject({ one: 1 });
  database.close();
});

test('a Node without SQLite is told as too old', () => {
  const load = (): never => {
    throw new Error('No such built-in module: node:sqlite');
  };
  expect(() => loadSqlite(load)).toThrow(expect.objectContaining({ code: 'NODE_TOO_OLD' }) as Error);
});
