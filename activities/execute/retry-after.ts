import { limits } from '../../domain/limits.ts';

/** Milliseconds that the last `Retry-After: ...` line of an output asks for (seconds or an HTTP date), within our own limit. */
export function parseRetryAfter(text: string, now: number): number | undefined {
  const asked = [...text.matchAll(/^[\t >*<]*retry-after[\t ]*:[\t ]*([^\r\n]{1,60})$/gim)].at(-1)?.[1]?.trim();
  if (asked === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?(?=\s*s?$)/.exec(asked)?.[0];
  const ms = seconds === undefined ? httpDate(asked) - now : Number(seconds) * 1_000;
  // Nothing to wait for, or nothing that can be read: the retry policy knows better.
  return ms > 0 ? Math.ceil(Math.min(ms, limits.maxRetryAfter)) : undefined;
}

/** A date names its day or month: `Date.parse` would take far too much for one. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
}
