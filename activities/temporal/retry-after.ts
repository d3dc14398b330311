import { activityLimits } from '../limits/activity-limits.ts';

/** How services and their clients say when to come back. The last one in an output counts. */
const forms: { pattern: RegExp; read: (text: string, now: number) => number }[] = [
  // A header, on a line of its own or in brackets.
  { pattern: /^[\t >*<]*retry-after[\t ]*:[\t ]*([^\r\n]{1,60})$/gim, read: readHeader },
  { pattern: /[([{,;][\t ]*["']?retry-after["']?[\t ]*[:=][\t ]*["']?([^\r\n"'()[\]{},;]{1,40})/gim, read: readHeader },
  { pattern: /\bretry-after-ms["']?[\t ]*:[\t ]*["']?(\d{1,12})(?:\.\d{1,9})?\b/gi, read: (ms) => Number(ms) },
  // A member of an error's JSON.
  {
    pattern: /["']retry_?after(?:_seconds)?["']\s*:\s*["']?(\d{1,9}(?:\.\d{1,9})?)s?["']?\s*[,}\r\n]/gi,
    read: readSeconds,
  },
  { pattern: /["']retryDelay["']\s*:\s*["'](\d{1,9}(?:\.\d{1,9})?)s["']/g, read: readSeconds },
  // A sentence.
  {
    pattern:
      /\b(?:try again|retry|wait)(?: after| in| for)? ((?:\d{1,9}(?:\.\d{1,9})? ?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z]),? ?){1,3})/gi,
    read: parseUnits,
  },
];

/** Milliseconds that an output asks to wait before the next try, at most `most`; undefined where it says nothing. */
export function parseRetryAfter(
  text: string,
  now: number,
  most: number = activityLimits.maxRetryAfter,
): number | undefined {
  const lastMatch = forms
    .flatMap(({ pattern, read }) => [...text.matchAll(pattern)].map((match) => ({ match, read })))
    .sort((a, b) => a.match.index - b.match.index)
    .at(-1);
  if (lastMatch === undefined) return undefined;
  const ms = lastMatch.read((lastMatch.match[1] ?? '').trim(), now);
  // Nothing to wait for, or nothing that can be read: the retry policy knows better.
  return ms > 0 ? Math.ceil(Math.min(ms, most)) : undefined;
}

function readHeader(header: string, now: number): number {
  const seconds = /^\d+(?:\.\d+)?(?=\s*s?$)/.exec(header)?.[0];
  return seconds === undefined ? httpDate(header) - now : readSeconds(seconds);
}

function readSeconds(seconds: string): number {
  return Number(seconds) * 1_000;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** `1m30s`, `20 seconds`, `2 minutes`. */
function parseUnits(text: string): number {
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    const short = /^(?:ms|milli)/i.test(unit)
      ? 'ms'
      : unit[0]?.toLowerCase() === 'h'
        ? 'h'
        : unit[0]?.toLowerCase() === 'm'
          ? 'm'
          : 's';
    ms += Number(count) * units[short];
  }
  return ms;
}

/** A date names its day or month: `Date.parse` would take far too much for one. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
}
