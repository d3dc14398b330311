// The picture of a terminal: each part of a line has its place, its length and the style that lasts until it is changed.
import { expect, test } from 'vitest';
import { drawScreen } from '../../scripts/draw-screen.ts';

const draw = (...lines: string[]): string[] =>
  drawScreen({ command: 'go', lines, columns: 40, title: 'A <title>' })
    .split('\n')
    .filter((line) => line.includes('<text'))
    .slice(2)
    .map((line) => line.trim());

test('text keeps its column and its length, and what markup means is escaped', () => {
  expect(draw('a < b & c')).toEqual([
    '<text x="18.0" y="101" textLength="75.6">a\u00a0&lt;\u00a0b\u00a0&amp;\u00a0c</text>',
  ]);
});

test('a style lasts to the next line until it is reset', () => {
  expect(draw('\u001b[1;33mbold', 'still\u001b[0m plain')).toEqual([
    '<text x="18.0" y="101" textLength="33.6" fill="#e3b341" font-weight="700">bold</text>',
    '<text x="18.0" y="121" textLength="42.0" fill="#e3b341" font-weight="700">still</text>',
    '<text x="60.0" y="121" textLength="50.4">\u00a0plain</text>',
  ]);
});

test('a part without a visible character is not drawn, and moves what follows it', () => {
  expect(draw('\u001b[2m  \u001b[36mx')).toEqual([
    '<text x="34.8" y="101" textLength="8.4" fill="#76e3ea" opacity="0.65">x</text>',
  ]);
});
