// Edits of a text: exact, then tolerant of white space, never a guess between two places.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editText, type Edited } from '../../../../domain/text/edit/edit-text.ts';

const edit = (text: string, old: string, next: string, all = false): Edited => editText(text, { old, new: next, all });

const textOf = (edited: Edited): string | undefined => (edited.kind === 'edited' ? edited.text : undefined);

test.each<[string, string, string, string, string]>([
  ['a word', 'one two three\n', 'two', '2', 'one 2 three\n'],
  ['several lines', 'a\nb\nc\nd\n', 'b\nc\n', 'x\n', 'a\nx\nd\n'],
  ['all of it', 'a', 'a', '', ''],
  ['what looks like a replacement pattern', 'x', 'x', '$& $1 $$', '$& $1 $$'],
  ['CRLF where the model writes LF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\n', 'x\r\ny\r\nc\r\n'],
  ['one line by two in a CRLF file', 'a\r\nb\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\n'],
  ['an LF part of a file that mixes both', 'a\r\nb\nc\n', 'b\nc', 'x\ny', 'a\r\nx\ny\n'],
  ['trailing blanks', 'if (x) {  \n  y();\t\n}\n', 'if (x) {\n  y();\n}', 'z();', 'z();\n'],
  [
    'less indentation than the file has',
    '    a:\n      b\n',
    'a:\n  b',
    'a:\n  c\n    d',
    '    a:\n      c\n        d\n',
  ],
  ['more indentation than the file has', 'a:\n  b\n', '    a:\n      b\n', '    a:\n      c\n', 'a:\n  c\n'],
  [
    'spaces where the file has tabs',
    '\tif x:\n\t\ty\n',
    '    if x:\n        y',
    '    if z:\n        y',
    '\tif z:\n\t\ty\n',
  ],
  ['a last line without an end', 'a\n  b', 'b\n', 'c\n', 'a\n  c'],
  ['a blank line with blanks in it', '  a\n   \n  b\n', 'a\n\nb\n', 'a\nb\n', '  a\n  b\n'],
  ['emoji and marks', 'é👩‍👩‍👧x', '👩‍👩‍👧', '👍', 'é👍x'],
])('an edit replaces %s', (_, text, old, next, expected) => {
  expect(textOf(edit(text, old, next))).toBe(expected);
});

test('several matching places are listed, and none is chosen', () => {
  expect(edit('a\nb\na\n', 'a', 'x')).toEqual({ kind: 'ambiguous', places: 2, counted: true, lines: [1, 3] });
  expect(edit('aaa', 'aa', 'x')).toMatchObject({ kind: 'ambiguous', places: 2 });
  expect(edit('  a;\n\ta;\n', ' a;', 'x')).toMatchObject({ kind: 'edited' });
  expect(edit(' go(1)\n\tgo(1)\n', '  go(1)', 'x')).toEqual({
    kind: 'ambiguous',
    places: 2,
    counted: true,
    lines: [1, 2],
  });
  expect(edit('a'.repeat(5_000), 'a', 'x')).toMatchObject({ places: 100, counted: false });
});

test('an edit of all places replaces every exact one, and only one that differs in white space', () => {
  expect(edit('aaa b aa', 'aa', 'x', true)).toMatchObject({ text: 'xa b x', places: 2 });
  expect(edit(' go(1)\n\tgo(1)\n', '  go(1)', 'x', true)).toMatchObject({ kind: 'ambiguous' });
});

test('a missing text is answered with the most similar lines', () => {
  const text = 'import a\n\nfunction total(items) {\n  return sum(items);\n}\n\nexport { total };\n';
  expect(edit(text, 'function total(list) {\n  return sum(list);\n}', 'x')).toEqual({
    kind: 'not-found',
    nearest: { from: 3, lines: ['function total(items) {', '  return sum(items);', '}'] },
  });
  expect(edit('abc\n', 'xyz', '')).toEqual({ kind: 'not-found', nearest: undefined });
  expect(edit('a\nb\n', ' \n ', 'x')).toMatchObject({ kind: 'not-found' });
  expect(edit('', 'x', 'y')).toMatchObject({ kind: 'not-found' });
});

const letter = fc.constantFrom('a', 'b', ' ', '\n', '\t', 'é', '$&');
const piece = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''));
const pieceWithText = piece.filter((text) => text !== '');

test('an exact edit leaves the text around it unchanged, byte for byte', () => {
  fc.assert(
    fc.property(piece, pieceWithText, piece, piece, (before, old, behind, next) => {
      const text = before + old + behind;
      const edited = edit(text, old, next);
      const starts = [...Array(text.length).keys()].filter((at) => text.startsWith(old, at));
      if (starts.length === 1) expect(textOf(edited)).toBe(before + next + behind);
      else expect(edited).toMatchObject({ kind: 'ambiguous', places: starts.length });
      expect(textOf(edit(text, old, next, true))).toBe(text.split(old).join(next));
    }),
    { numRuns: 2_000 },
  );
});

test('a tolerant edit changes its lines only, and the file keeps its line breaks', () => {
  const word = fc.constantFrom('a', 'b', 'c(1)', 'd = 2', '}');
  const blanks = fc.constantFrom('', ' ', '  ', '\t');
  const line = fc.tuple(blanks, word, blanks);
  const lines = fc.array(line, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), fc.constantFrom('\n', '\r\n'), fc.array(blanks), (all, a, b, end, other) => {
      const [from, to] = [a % all.length, b % all.length].sort((x, y) => x - y) as [number, number];
      const file = all.map((parts) => parts.join(''));
      const old = all.slice(from, to + 1).map(([, text], index) => `${other[index] ?? ''}${text}`);
      const edited = edit(file.join(end), old.join('\n'), 'NEW');
      if (edited.kind !== 'edited' || edited.how === 'exact') return;
      const now = edited.text.split(end);
      expect(edited.text.replaceAll(end, '')).not.toMatch(/[\r\n]/);
      expect(now.map((text) => text.trim())).toEqual([
        ...file.slice(0, from).map((text) => text.trim()),
        'NEW',
        ...file.slice(to + 1).map((text) => text.trim()),
      ]);
      expect([...now.slice(0, from), ...now.slice(from + 1)]).toEqual([...file.slice(0, from), ...file.slice(to + 1)]);
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, string, string]>([
  ['a text of one letter', 'a'.repeat(2_000_000), `b${'a'.repeat(500_000)}`],
  ['a text of empty lines', '\n'.repeat(1_000_000), `x${'\n'.repeat(300_000)}y`],
  ['a text of one letter, found often', 'a'.repeat(2_000_000), 'a'.repeat(1_000_000)],
])('%s does not block the worker', (_, text, old) => {
  const before = performance.now();
  expect(edit(text, old, 'x').kind).not.toBe('edited');
  // A search that is not linear takes minutes.
  expect(performance.now() - before).toBeLessThan(10_000);
});
