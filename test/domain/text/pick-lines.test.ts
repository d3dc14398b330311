import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pickLines } from '../../../domain/text/pick-lines.ts';

test.each([
  ['', 1, 5, [], 0],
  ['a', 1, 5, ['a'], 1],
  ['a\n', 1, 5, ['a'], 1],
  ['\n', 1, 5, [''], 1],
  ['a\r\nb\r', 1, 5, ['a', 'b\r'], 2],
  ['a\n\nc\n', 2, 1, [''], 3],
  ['a\nb', 3, 1, [], 2],
])('of %j from %i, %i lines are picked', (text, from, lines, expected, total) => {
  expect(pickLines(text, { from, lines })).toEqual({ lines: expected, total });
});

test('picked lines are those of the whole text, split', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', 'é'), { maxLength: 30 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (whole, from, lines) => {
      const split = whole.split(/\r?\n/);
      const all = split.at(-1) === '' ? split.slice(0, -1) : split;
      expect(pickLines(whole, { from, lines })).toEqual({
        lines: all.slice(from - 1, from - 1 + lines),
        total: all.length,
      });
    }),
  );
});
