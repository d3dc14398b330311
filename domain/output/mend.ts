import { jsonrepair } from 'jsonrepair';
import { outputLimits } from './limits.ts';
import type { Parsed } from './parse.ts';
import { parseJson } from './parse.ts';

/** Repairs text that is nearly JSON. The repair is a library's: it may take long, overflow or return something that is no JSON. */
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
/** Characters that the library reads as quotes; `&` may begin the name of a quote. */
const quotes = '"\'“”‘’`´&';
const beforeQuote = ',:[]/{}()+';
/** The slash is missing, because the library skips comments. */
const behindQuote = ',:[]{}()+\n';

/**
 * A quote without a mark of JSON next to it makes the library read to the end of the text and back. A few such quotes are a slip; many
 * are an attack or a text that cannot be repaired.
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
