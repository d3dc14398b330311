/** `try again in 2s`, `Your quota will reset after 2h52m39s`, `retry after 20 seconds`. */
const waitSentence =
  /\b(?:try again|retry|wait|reset)(?: after| in| for)? ((?:\d{1,9}(?:\.\d{1,9})? ?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)(?![a-z]),? ?){1,4})/giu;

const unit = /(\d+(?:\.\d+)?) ?(ms|milli|[smhd])/giu;

const lengths: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads the milliseconds that a sentence asks to wait, the last of several; undefined without such a sentence. */
export function parseWait(message: string): number | undefined {
  const duration = [...message.matchAll(waitSentence)].at(-1)?.[1];
  if (duration === undefined) return undefined;
  const parts = [...duration.matchAll(unit)].map(
    ([, count, name = '']) => Number(count) * (lengths[name.toLowerCase()] ?? 1),
  );
  const wait = parts.reduce((sum, part) => sum + part, 0);
  return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : undefined;
}
