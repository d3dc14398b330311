import { limits } from '../limits/domain-limits.ts';
import { clip, clipStart } from '../text/text.ts';
import { writeReference, type Reference } from './reference.ts';

const { context } = limits;

/** The original of a shortened text. A model without `read_file` is not shown its reference. */
export interface Original {
  reference: Reference;
  readable: boolean;
}

const formatRest = (characters: number, { reference, readable }: Original): string =>
  `[shortened: ${characters} more characters${readable ? `; read_file with path "${writeReference(reference)}" reads the whole text` : ''}]`;

/** Keeps the beginning and the end. A text that is only slightly longer stays as it is. */
function shorten(text: string, { head, tail }: { head: number; tail: number }, original: Original): string {
  const rest = text.length - head - tail;
  if (rest <= context.slack) return text;
  const end = tail === 0 ? '' : `\n${clipStart(text, tail)}`;
  return `${clip(text, head)}\n${formatRest(rest, original)}${end}`;
}

/** `kept`: characters of the beginning that always stay. */
export const shortenOutput = (text: string, kept: number, original: Original): string =>
  shorten(text, { head: Math.max(kept, context.outputHead), tail: context.outputTail }, original);

export const shortenNarrative = (text: string, original: Original): string =>
  shorten(text, { head: context.narrative, tail: 0 }, original);

/**
 * Arguments stay one JSON object, because providers accept nothing else. Long texts in it are shortened; an object that is still too long
 * is replaced by its beginning.
 */
export function shortenArguments(input: string, original: Original): string {
  const most = context.arguments + context.slack;
  if (input.length <= most) return input;
  const rest = formatRest(input.length - context.argument, original);
  const shorter = withShortTexts(input, rest);
  return shorter.length <= most ? shorter : JSON.stringify({ shortened: `${clip(input, context.argument)} ${rest}` });
}

/** Returns the same text when it is not an object, or nested too deeply. */
function withShortTexts(input: string, rest: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return input;
    return JSON.stringify({ ...Object(shortTexts(value)), shortened: rest });
  } catch {
    return input;
  }
}

function shortTexts(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, context.argument);
  if (Array.isArray(value)) return value.map(shortTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortTexts(item)]));
}
