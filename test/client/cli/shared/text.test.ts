// Text in a terminal: what it may contain, how wide it is, where colours are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Output } from '../../../../client/cli/shared/output.ts';
import { colour, noColour, paintLine } from '../../../../client/terminal/text/paint.ts';
import { renderTable } from '../../../../client/terminal/render/table.ts';
import { displayWidth, fit, pad, plainLine } from '../../../../client/terminal/text/terminal-text.ts';
import { testPorts } from './support.ts';

test.each([
  ['plain', 'plain'],
  ['two\nlines\there', 'two lines here'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'link'],
  ['bell\u0007 and back\b', 'bell and back'],
  ['right\u202eto left', 'right to left'],
  ['zero\u200bwidth', 'zero width'],
  ['नमस्ते 👨‍👩‍👧', 'नमस्ते 👨‍👩‍👧'],
])('%j becomes one line that a terminal only shows: %j', (text, plain) => {
  expect(plainLine(text)).toBe(plain);
});

test.each([
  ['abc', 3],
  ['日本語', 6],
  ['한국', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['✓ ● ◌ ✗ ⏸ ?', 11],
  ['🚀', 2],
  ['👨‍👩‍👧', 2],
  ['\u001b[1mab\u001b[22m', 2],
  ['', 0],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('a text that does not fit is cut at a character and shows it', () => {
  expect(fit('abcdef', 6)).toBe('abcdef');
  expect(fit('abcdef', 4)).toBe('abc…');
  expect(fit('日本語です', 6)).toBe('日本…');
  expect(fit('abc', 0)).toBe('');
  expect(pad('ab', 4)).toBe('ab  ');
  expect(displayWidth(pad('日本語', 4))).toBe(4);
});

test('whatever the text, it fits where it must', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 40 }), (text, columns) => {
      expect(displayWidth(fit(plainLine(text), columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test('pieces are cut before they are coloured, so that every colour ends', () => {
  const line = paintLine([['red', 'abc'], 'def', ['green', 'ghi']], 5, colour);
  expect(line).toBe('\u001b[31mabc\u001b[39md…');
  expect(paintLine([['red', 'abc'], 'def'], 80, noColour)).toBe('abcdef');
});

test.each([
  [{}, true, true],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{}, false, false],
])('with %j on a terminal (%s), colours: %s', (env, isTTY, coloured) => {
  const { ports } = testPorts({ env }, { isTTY });
  const output = new Output(ports, { json: false });
  expect(output.paint('red', 'x') !== 'x').toBe(coloured);
  expect(output.errorPaint('red', 'x') !== 'x').toBe(coloured);
  expect(output.live).toBe(isTTY && !('TERM' in env));
});

test('with --json nothing is drawn, and notes for people are left out', () => {
  const { ports, stdout, stderr } = testPorts({}, { isTTY: true });
  const output = new Output(ports, { json: true });
  expect(output.live).toBe(false);
  output.note('for people');
  output.data({ a: 1 });
  expect([stdout(), stderr()]).toEqual(['{"a":1}\n', '']);
});

test('when nobody reads any more, it stops writing and says so', async () => {
  const { ports } = testPorts();
  const output = new Output(ports, { json: false });
  ports.stdout.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(output.closed.aborted).toBe(true);
  output.print('into the void');
  await output.raw('into the void');
});

test('a table has columns as wide as their cells and cuts only the last one', () => {
  const rows = [{ cells: ['ID', 'GOAL'] }, { cells: ['日本', 'a long goal'] }, { cells: ['x', ''] }];
  expect(renderTable(rows, 12, noColour)).toEqual(['ID    GOAL', '日本  a lon…', 'x']);
});
