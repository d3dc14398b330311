import { jsonrepair } from 'jsonrepair';
import { outputLimits } from './limits.ts';
import type { Parsed } from './parse.ts';
import { parseJson } from './parse.ts';

/** Makes JSON of what is nearly JSON. The mender is not ours: it may take long, overflow or return what is no JSON. */
export function mendJson(text: string, maxDepth: number): Parsed {
  if (!isMendable(text)) return { kind: 'broken' };
  let mended: string;
  try {
    mended = jsonrepair(text);
  } catch {
    return { kind: 'broken' };
  }
  return parseJson(mended, maxDepth);
}

const openings = '{[(';
/** All that the mender takes for a quote; `&` may begin the name of one. */
const quotes = '"\'“”‘’`´&';
const beforeQuote = ',:[]/{}()+';
/** Without the slash: the mender looks behind a comment. */
const behindQuote = ',:[]{}()+\n';

/**
 * A quote that neither follows nor precedes a mark of JSON makes the mender read on to the end of the text and come back. Few
 * of them are a slip, many are an attack or a text that nobody can mend.
 */
function isMendable(text: string): boolean {
  let brackets = 0;
  let loose = 0;
  let before = '';
  let pending = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (pending && !' \t\r'.includes(character)) {
      if (!behindQuote.includes(character)) loose++;
      pending = false;
    }
    if (openings.includes(character)) brackets++;
    if (character === '\\') at++;
    else if (quotes.includes(character)) pending = before !== '' && !beforeQuote.includes(before);
    if (!' \t\r\n'.includes(character)) before = character;
    if (brackets > outputLimits.mendedBrackets || loose > outputLimits.looseQuotes) return false;
  }
  return true;
}
