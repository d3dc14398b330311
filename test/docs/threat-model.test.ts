// The threat model answers every entry of both OWASP lists with a defence and with tests that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Row {
  risk: string;
  defence: string;
  tests: string[];
}

function readRows(): Row[] {
  const lines = readFileSync(join(root, 'docs/threat-model.md'), 'utf8').split('\n');
  return lines
    .filter((line) => /^\| (?:ASI|LLM)\d\d /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, risk = '', defence = '', tests = '']) => ({
      risk: risk.slice(0, 5),
      defence,
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    }));
}

const numbers = Array.from({ length: 10 }, (_, index) => String(index + 1).padStart(2, '0'));

test('both lists are answered entry by entry, in their order', () => {
  const expected = ['ASI', 'LLM'].flatMap((list) => numbers.map((number) => `${list}${number}`));
  expect(readRows().map(({ risk }) => risk)).toEqual(expected);
});

test('each entry has a defence and tests that exist', () => {
  const poor = readRows().filter(
    ({ defence, tests }) =>
      defence === '' || tests.length === 0 || !tests.every((path) => existsSync(join(root, path))),
  );
  expect(poor).toEqual([]);
});
