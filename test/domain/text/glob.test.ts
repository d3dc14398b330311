import { matchesGlob } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGlob } from '../../../domain/text/glob.ts';

test.each<[string, string, boolean]>([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'x/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/**', 'src/x/y', true],
  ['src/**', 'src', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['?.md', 'ü.md', true],
  ['?.md', '👍.md', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[]]', ']', true],
  ['{a,b}/{c,d{1,2}}', 'b/d2', true],
  ['{a}', '{a}', true],
  ['{a,b', '{a,b', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['.*', '.env', true],
  ['*', '.env', true],
  ['./a//b', 'a/b', true],
])('a glob %s and a path %s: %s', (pattern, path, expected) => {
  expect(readGlob(pattern)?.(path)).toBe(expected);
});

test('a glob matches as in Node', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '{a,b*}', 'ab');
  const part = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.constant('**'),
  );
  // A part of stars alone, or stars in a row, mean other things in different tools.
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'))
    .filter((text) => text.split('/').every((one) => one === '**' || !one.includes('**')));
  const name = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((letters) => letters.join(''));
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(pattern, path, (glob, one) => {
      // Node lets `a/**` mean the folder itself too.
      if (glob.endsWith('**') && matchesGlob(`${one}/x`, glob)) return;
      expect(readGlob(glob)?.(one)).toBe(matchesGlob(one, glob));
    }),
    { numRuns: 3_000 },
  );
});

test('too many alternatives are not expanded, and many stars take bounded time', () => {
  expect(readGlob('{a,b}'.repeat(20))).toBeUndefined();
  expect(readGlob(`${'{'.repeat(500)}a${',b}'.repeat(500)}`)).toBeUndefined();
  expect(readGlob('*a'.repeat(200))?.('a'.repeat(4_000))).toBe(true);
  expect(readGlob(`${'*a'.repeat(200)}b`)?.('a'.repeat(4_000))).toBe(false);
  expect(readGlob(`${'**/a/'.repeat(50)}b`)?.('a/'.repeat(1_000))).toBe(false);
});
