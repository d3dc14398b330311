/** What a word says about the work. `undecided`: the judge says that it cannot tell. */
export type VerdictWord = 'pass' | 'warn' | 'partial' | 'fail' | 'undecided';

/**
 * As `plainWords` leaves them. Only a word that can mean nothing else is a yes: `good`, `complete` or `success` may be said of anything.
 * A no is read in many ways.
 */
const byKind: Readonly<Record<VerdictWord, string>> = {
  pass: 'pass|passed|passes|approve|approved|accept|accepted|acceptable|yes|true|lgtm|full pass|all met|fully met|met|satisfied',
  warn: 'pass with warnings|passed with warnings|pass with warning|approved with comments|pass with comments|accepted with comments|conditional pass',
  partial: 'partial|partially|partial verified|partially verified|partially met|partial pass|partly|partly met',
  fail:
    'fail|failed|fails|failing|failure|no|n|false|0|reject|rejected|deny|denied|invalid|incorrect|incomplete|unacceptable|not ok|' +
    'not passed|did not pass|does not pass|needs work|needs changes|changes requested|request changes|needs revision|not met|unmet|bad|' +
    'wrong|not approved|not accepted|unsatisfied|not satisfied|non compliant|disapproved|not acceptable|not complete|unsuccessful|un successful|' +
    'not successful|not fulfilled|unfulfilled',
  undecided: 'inconclusive|unknown|unsure|uncertain|unclear|undecided|cannot tell|cannot determine|n a',
};

const kinds: readonly VerdictWord[] = ['pass', 'warn', 'partial', 'fail', 'undecided'];
const byWord = new Map<string, VerdictWord>(
  kinds.flatMap((kind) => byKind[kind].split('|').map((each) => [each, kind])),
);

/** What is a yes as the value of `passed` only. */
const underPassed = new Set(['y', 'ok', 'okay', '1']);

/** Marks that stand for a word. */
const marks: readonly (readonly [RegExp, VerdictWord])[] = [
  [/[✅✓✔👍🟢]/u, 'pass'],
  [/[❌✗✘👎🔴]/u, 'fail'],
  [/[⚠🟡]/u, 'warn'],
];

/** Letters and digits of any script with single blanks between: `**PASS_WITH-WARNINGS**` is `pass with warnings`. */
export const plainWords = (text: string): string =>
  text
    .slice(0, longestWords)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A longer text is no verdict in one word. */
const longestWords = 80;

/** The word that begins a longer text, and the mark that ends it: `PASS. All criteria are met.`, `FAIL - nothing was written`. */
const leading =
  /^[\s*_#"'`]{0,6}(pass(?:ed)?(?: with warnings?)?|fail(?:ed)?|approved|rejected|accepted|lgtm)\b[\s*_"'`]{0,6}([:.,;!–—(]|-(?!\w))(.*)$/isu;

/** Words that take back, or put a condition on, what was said before them. */
const denials =
  /\b(?:but|however|except|although|though|unless|until|once|if|provided|assuming|pending|not|cannot|fail(?:s|ed|ure)?|missing|lacks?|lacking|incomplete|incorrect|wrong|conditional(?:ly)?)\b|n['’]t\b/iu;

/** `1 of 2 criteria`. */
const share = /\b(\d{1,4}) ?(?:\/|of|out of) ?(\d{1,4})\b/giu;

/** Whether a text takes something back. */
export const denies = (text: string): boolean =>
  denials.test(text) || [...text.matchAll(share)].some(([, part, whole]) => Number(part) < Number(whole));

/** The word that a value says; undefined where it says none. A yes that its own words take back is none. */
export function wordOf(value: unknown, key: 'passed' | 'verdict' = 'verdict'): VerdictWord | undefined {
  if (typeof value === 'boolean') return value ? 'pass' : 'fail';
  if (value === 0) return 'fail';
  if (value === 1) return key === 'passed' ? 'pass' : undefined;
  if (typeof value !== 'string' || /[?:]\s*$|[{}[\]]/u.test(value)) return undefined;
  if (value.length <= longestWords && !value.includes(':')) {
    const plain = plainWords(value);
    const word = byWord.get(plain) ?? (key === 'passed' && underPassed.has(plain) ? 'pass' : markIn(value));
    if (word !== undefined) return /\w\/\w/.test(value) && plain !== 'n a' ? undefined : word;
  }
  return leadingWord(value);
}

/** `PASS: all criteria are met`; in `passed: no` and `passed: 7` what stands before the colon is a key. */
const reasonBehind = /^[\s*_]{1,6}\p{L}{2,}\s\p{L}{2,}[^:]*$/u;

/** What a sentence begins with, where the rest of it does not take it back. */
export function leadingWord(text: string): VerdictWord | undefined {
  const [, first = '', mark = '', rest = ''] = leading.exec(text) ?? [];
  const word = byWord.get(plainWords(first));
  const isYes = word === 'pass' || word === 'warn';
  return isYes && (denies(rest) || rest.trim().endsWith('?') || (mark === ':' && !reasonBehind.test(rest)))
    ? undefined
    : word;
}

/** The word behind the last colon or dash of a text: `the names: not met`, `a section - missing` says none. */
export function trailingWord(text: string): VerdictWord | undefined {
  const [, last] = /(?::|\s[-–—|]|→|=)\s*([^:|–—→=]{1,80})$/u.exec(text.trim()) ?? [];
  return last === undefined ? undefined : wordOf(last);
}

/** Only where nothing else is said that could mean something else. */
const markIn = (text: string): VerdictWord | undefined =>
  plainWords(text) === '' ? marks.find(([mark]) => mark.test(text))?.[1] : undefined;

/** What several words of one answer say together; `contradicts` where one says yes and another no, or that it cannot tell. */
export function agree(said: readonly VerdictWord[]): VerdictWord | 'contradicts' | undefined {
  const [first] = said;
  if (first === undefined) return undefined;
  const all = new Set(said);
  if (all.size === 1) return first;
  if (all.has('fail')) {
    all.delete('undecided');
    all.delete('partial');
    return all.size === 1 ? 'fail' : 'contradicts';
  }
  if (all.has('undecided')) return 'contradicts';
  return all.has('partial') ? 'partial' : 'warn';
}
