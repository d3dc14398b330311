// A line that a person writes: characters as people count them, a cursor, and the part of it that fits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyEntry,
  entryText,
  pressInEntry,
  showEntry,
  type TextEntry,
} from '../../../../client/terminal/ask/text-entry.ts';
import type { Key, Press } from '../../../../client/terminal/ask/key.ts';
import { displayWidth, wrap } from '../../../../client/terminal/text/terminal-text.ts';
import { limits } from '../../../../domain/limits/domain-limits.ts';

const key = (name: string, given: Partial<Key> = {}): Key => ({
  name,
  text: '',
  ctrl: false,
  meta: false,
  shift: false,
  ...given,
});
const type = (text: string): Key => key('', { text });
const play = (...presses: Press[]): TextEntry => presses.reduce(pressInEntry, emptyEntry);

test('backspace, delete and the arrows go by whole characters, however they are made', () => {
  const family = ['👩', '\u200d', '👧'].map(type);
  expect(entryText(play(type('a'), ...family, key('backspace')))).toBe('a');
  expect(entryText(play(type('e'), type('\u0301'), key('backspace')))).toBe('');
  expect(play(type('漢'), type('字'), key('left'))).toEqual({ before: '漢', after: '字' });
  expect(entryText(play(type('漢'), type('字'), key('left'), key('delete')))).toBe('漢');
});

test('the keys of a shell', () => {
  const line = play({ pasted: 'one two' });
  const ctrl = (name: string): Key => key(name, { ctrl: true });
  expect(entryText(pressInEntry(line, ctrl('w')))).toBe('one ');
  expect(entryText(pressInEntry(line, ctrl('u')))).toBe('');
  expect(entryText(pressInEntry(pressInEntry(line, ctrl('a')), type('x')))).toBe('xone two');
  expect(pressInEntry(pressInEntry(line, key('home')), ctrl('k'))).toEqual(emptyEntry);
  expect(entryText(pressInEntry(pressInEntry(pressInEntry(line, key('home')), key('end')), type('!')))).toBe(
    'one two!',
  );
  for (const nothing of [key('tab', { text: '\t' }), key('f5'), key('b', { text: 'b', meta: true }), type('\u202e')])
    expect(entryText(pressInEntry(line, nothing))).toBe('one two');
});

test('it never becomes longer than an instruction may be', () => {
  const full = play({ pasted: 'x'.repeat(limits.instruction) });
  expect(entryText(pressInEntry(full, type('y')))).toHaveLength(limits.instruction);
});

const moves = fc.array(fc.constantFrom('left', 'right', 'home', 'end'), { maxLength: 20 });

test('moving changes nothing, and the part that is shown fits with the cursor in it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      moves,
      fc.integer({ min: 1, max: 80 }),
      (text, names, columns) => {
        const line = play({ pasted: text });
        const moved = names.map((name) => key(name)).reduce(pressInEntry, line);
        expect(entryText(moved)).toBe(entryText(line));
        const shown = showEntry(moved, columns);
        expect(displayWidth(shown)).toBeLessThanOrEqual(columns);
        expect(shown).not.toContain('\n');
        if (columns > 3) expect(shown).toContain('▏');
      },
    ),
  );
});

test('wrapped words fit, and none is lost while there are lines for them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((word) => word.replace(/\s/gu, 'x'))),
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (words, columns, most) => {
        const text = words.join(' ');
        const lines = wrap(text, columns, 1_000);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        const few = wrap(text, columns, most);
        expect(few.length).toBeLessThanOrEqual(most);
        for (const line of few) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
