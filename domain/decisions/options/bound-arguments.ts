import { clip } from '../../text/text.ts';

/** How much of each text is kept, tried in this order. */
const lengths = [4_000, 1_000, 200];

/** Arguments as JSON that fit: the long texts in them are cut, and where that is not enough, all of it. */
export function boundArguments(given: unknown, most: number): { arguments: unknown; cut?: true } {
  const json = JSON.stringify(given ?? null);
  if (json.length <= most) return { arguments: given ?? null };
  for (const length of lengths) {
    const shorter = JSON.stringify(given, (_, value: unknown) =>
      typeof value === 'string' ? clip(value, length) : value,
    );
    if (shorter.length <= most) return { arguments: JSON.parse(shorter) as unknown, cut: true };
  }
  // Escaped once more, a text may double.
  return { arguments: clip(json, most / 2), cut: true };
}
