import type { FailureType } from './failure-types.ts';

/** Longer messages are signed by their beginning. */
const maxSigned = 2_000;

/**
 * Folds what differs between two occurrences of one failure: case, white space, numbers, hex, ids, paths, quoted names.
 * The order matters: a path holds digits, an id holds hex.
 */
export function normaliseMessage(message: string): string {
  return message
    .slice(0, maxSigned)
    .toLowerCase()
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"`)]+/g, '<url>')
    .replace(/(?:[a-z]:)?(?:\.{0,2}[\\/])?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*/g, '<path>')
    .replace(/(["'`])(?:(?!\1)[^\n]){1,200}\1/g, '<name>')
    .replace(/\b0x[0-9a-f]+\b/g, '<hex>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/g, '<hex>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The same failure with other numbers in it has the same signature. */
export function signatureOf(type: FailureType, message: string): string {
  return `${type}-${hash(normaliseMessage(message))}`;
}

/** Two FNV-1a passes with different offsets, 64 bits in all: pure, since workflow code has no crypto; identity, not secrecy. */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
