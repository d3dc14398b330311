import type { FailureType } from '../types/basic/failure-types.ts';
import { withoutColours } from '../text/text.ts';

/** Longer messages are signed by their beginning. The cut follows normalisation, so that a longer number does not move it. */
const maxSigned = 2_000;
const maxRead = 16_000;

/** A run of these characters with a slash in it is a path. */
const pathRun = /(?:\b[a-z]:(?=[\\/]))?[\p{L}\p{N}_.@~+\\/-]+/gu;

/** Text in quotation marks, but not the apostrophe of a word ("can't", "the file's"). */
const quoted =
  /"[^"\n]{1,200}"|`[^`\n]{1,200}`|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])|‘[^’\n]{1,200}’|“[^”\n]{1,200}”|«[^»\n]{1,200}»/gu;

const number = /(?<![a-z0-9]|\d[.,:])\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?(?![a-z0-9]|[.,:]\d)/g;

/** Hex, and letters and digits that alternate as in no word (`8fk2x9`). Of `node12` only the number is replaced. */
const hexOrId =
  /(?<![a-z0-9])(?:0x[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}|(?=[a-z]*\d+[a-z]+\d|\d*[a-z]+\d+[a-z])[a-z0-9]+)(?![a-z0-9])/g;

const numberWithUnit =
  /<n> ?(?:[nuµm]?s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|[kmgt]?i?b|bytes?)(?![\p{L}\p{N}])/gu;

/**
 * Replaces what differs between two occurrences of one failure: case, white space, numbers, hex, ids, paths, quoted names.
 * The order matters: a path holds digits, an id holds hex. Each pattern looks at a character a bounded number of times.
 */
export function normaliseMessage(message: string): string {
  return withoutColours(message.slice(0, maxRead))
    .toLowerCase()
    .replace(/[\s\u0000-\u001f]+/g, (space) => (space.includes('\n') ? '\n' : ' '))
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<n>')
    .replace(/\b[a-z][a-z0-9+.-]{0,19}:\/\/[^\s'"`)]+/g, '<url>')
    .replace(quoted, '<name>')
    .replace(pathRun, (run) => (/[\\/]/.test(run) ? '<path>' : run))
    .replace(number, '<n>')
    .replace(hexOrId, '<n>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replace(numberWithUnit, '<n>')
    .replace(/<n>(?:[ ,]{0,3}<n>)+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxSigned);
}

/** Failures that differ only in numbers and names have the same signature. */
export function buildSignature(type: FailureType, message: string): string {
  return `${type}-${hashText(normaliseMessage(message))}`;
}

/** Facts are worded alike each time, so a number or a path in them belongs to the failure. */
export function buildFactsSignature(type: FailureType, facts: readonly string[]): string {
  return `${type}-${hashText(facts.join('\n').toLowerCase().slice(0, maxRead))}`;
}

/** The signature of a failure without an explanation of its own, which holds for one subtask alone. */
export const signatureInSubtask = (signature: string, subtask: string): string => `${signature}${hashText(subtask)}`;

/** Words with which any program says that it failed, and nothing of why. */
const failureWords =
  /\b(?:errors?|err|fail(?:ed|ure)?|fatal|exit(?:ed|ing)?|status|code|errno|command|process|program|script|task|job|aborted|terminated|killed|e?lifecycle|npm|with|the|a|an|was|has)\b/g;

/** True where a text says something of its own once all that differs between two occurrences, and all that any failure says, is taken away. */
export function hasOwnText(text: string): boolean {
  const folded = normaliseMessage(text).replace(/<(?:n|url|name|path)>/g, ' ');
  return /\p{L}{2}/u.test(folded.replace(failureWords, ' '));
}

/** Two FNV-1a passes with different offsets, together 64 bits: pure, since workflow code has no crypto; identity, not secrecy. */
export function hashText(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x01000193);
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
