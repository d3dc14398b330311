import { styleText } from 'node:util';
import { displayWidth, fit } from './terminal-text.ts';

export type StyleName = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (style: StyleName, text: string) => string;

export const noColour: Paint = (_style, text) => text;

export const colour: Paint = (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));

/** A part of a line; without a style it is plain. */
export type Piece = string | readonly [style: StyleName, text: string];

/** One line of pieces, cut to the columns there are. Cut before it is coloured: a colour must always end. */
export function paintLine(pieces: readonly Piece[], columns: number, paint: Paint): string {
  let room = columns;
  let line = '';
  for (const piece of pieces) {
    const text = fit(typeof piece === 'string' ? piece : piece[1], room);
    line += typeof piece === 'string' ? text : paint(piece[0], text);
    room -= displayWidth(text);
    if (room <= 0) break;
  }
  return line;
}
