import { formatDuration } from '../text/duration.ts';
import { oneLine } from '../text/text.ts';

/** Three dots end no sentence: they are a part of what was said (`go test ./...`). */
export const withoutEnd = (text: string): string => oneLine(text).replace(/(?:(?<!\.)\.|;)+$/, '');

/** Programs and people end what they say as they like. */
export const asSentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);

/** Joins a person's words and what follows from them into one sentence; a text that ends in a question mark has ended its own. */
export function joinSentence(reason: string, follows: string): string {
  const what = withoutEnd(reason);
  if (!/[?!]$/.test(what)) return `${what}; ${follows}.`;
  return `${what} ${follows.charAt(0).toUpperCase()}${follows.slice(1)}.`;
}

/** Says until when something waits, and why; the reason comes last, since it may be long. */
export function formatRetry(waitMs: number, reason: string, row?: { nth: number; most: number }): string {
  const count = row === undefined ? '' : ` (wait ${row.nth} of ${row.most})`;
  return `Retrying in ${formatDuration(Math.max(0, waitMs))}${count}: ${asClause(reason)}`;
}

/** A sentence of ours behind a colon. */
export const asClause = (sentence: string): string =>
  withoutEnd(sentence).replace(/^(?:The|It|No|A|An) /, (word) => word.toLowerCase());
