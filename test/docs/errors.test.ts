// docs/errors.md explains every code of the table, with its exit, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes, isErrorCode } from '../../domain/errors/error-codes.ts';

const root = join(import.meta.dirname, '..', '..');

/** The rows of all tables: code, exit, meaning, what to do. */
const rows = readFileSync(join(root, 'docs', 'errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, code = '', exit = '', meaning = '']) => ({ code: code.replaceAll('`', ''), exit: Number(exit), meaning }));

test('every code has one entry, and every entry is a code', () => {
  expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(errorCodes).sort());
  expect(rows.filter(({ meaning }) => meaning.length < 10)).toEqual([]);
});

test('the exits in the docs are those of the table', () => {
  const wrong = rows.filter(({ code, exit }) => isErrorCode(code) && errorCodes[code].exit !== exit);
  expect(wrong).toEqual([]);
});

/** The table's own file aside: what only that file names, nobody throws. */
function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'error-codes.ts')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

test('every code is used somewhere', () => {
  const launcher = readFileSync(join(root, 'bin', 'heddle.js'), 'utf8');
  const text = [launcher, ...['domain', 'workflows', 'activities', 'workers', 'client'].flatMap(sources)].join('\n');
  expect(Object.keys(errorCodes).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
