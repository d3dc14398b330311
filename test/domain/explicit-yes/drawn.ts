/* Random texts in which a yes could be read although there is none. */
import fc from 'fast-check';

/** `HEDDLE_FUZZ_RUNS=50000` for a long look. */
export const numRuns = Number(process.env.HEDDLE_FUZZ_RUNS ?? 1_500);
export const timeout = 60_000 + numRuns * 20;

export const utf16 = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 });

/** Tokens in any order, with and without blanks between. */
export const soupOf = (tokens: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...tokens), fc.constantFrom('', ' ', '\n')), { maxLength: 40 })
    .map((parts) => parts.flat().join(''));

/** An object as models write them: JSON, Python, without quotes, with a comma too much, over several lines, in a fence. */
export const writtenObject = (entries: fc.Arbitrary<[string, unknown][]>): fc.Arbitrary<string> =>
  fc.tuple(entries, fc.nat(5)).map(([fields, manner]) => {
    const value: unknown = Object.fromEntries(fields);
    const json = JSON.stringify(value);
    if (manner === 0) return JSON.stringify(value, null, 2);
    if (manner === 1) return `\`\`\`json\n${json}\n\`\`\``;
    if (manner === 2) return json.replaceAll('"', "'").replaceAll('true', 'True').replaceAll('null', 'None');
    if (manner === 3) return json.replace(/"(\w+)":/g, '$1: ');
    return manner === 4 ? json.replace(/\}$/, ',}') : json;
  });

/** A text up to a place in it, never the whole. */
export const cutOf = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat()).map(([whole, place]) => whole.slice(0, place % Math.max(1, whole.length)));
