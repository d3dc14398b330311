const [quote, apostrophe, backslash, comma, colon] = [0x22, 0x27, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Facts about the text between a bracket and its partner, outside strings. */
export interface BracketSpan {
  /** The index after the partner; undefined when the text ends before it. */
  end: number | undefined;
  depth: number;
  /** At least the number of values. */
  values: number;
  /** Keys with a value. */
  members: number;
}

/**
 * Reads each character once from the bracket at `start` to its partner. Exact for JSON. An apostrophe opens a string only at the beginning
 * of a value or key, because Python quotes with it and English text is full of it.
 */
export function spanFrom(text: string, start: number): BracketSpan {
  const span: BracketSpan = { end: undefined, depth: 0, values: 1, members: 0 };
  let depth = 0;
  let before = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote || (code === apostrophe && beginsValue(before))) {
      at = endOfString(text, at, code);
    } else if (code === openBrace || code === openBracket) {
      depth++;
      span.values++;
      span.depth = Math.max(span.depth, depth);
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth <= 0) return { ...span, end: at + 1 };
    } else if (code === comma) {
      span.values++;
    } else if (code === colon) {
      span.members++;
    }
    if (code > 0x20) before = code;
  }
  return span;
}

function beginsValue(before: number): boolean {
  return before === openBrace || before === openBracket || before === comma || before === colon;
}

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number, closing: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === closing) return at;
  }
  return text.length;
}

/** A brace that begins an object, not a block of code or a brace in prose. Each match ends before the next brace. */
const objectStart = /\{\s*(?:["'“‘}]|\/[/*]|[\w$-]{1,64}\s*:)/g;

/** Returns the index of the first object at or after `from`, or -1. */
export function nextObject(text: string, from: number): number {
  objectStart.lastIndex = from;
  return objectStart.exec(text)?.index ?? -1;
}
