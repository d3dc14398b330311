/** The verdict that a word expresses. `undecided`: the judge says that it cannot decide. */
export type VerdictWord = 'pass' | 'warn' | 'partial' | 'fail' | 'undecided';

/**
 * Phrases in normalised form. Only an unambiguous phrase is a yes: `good`, `complete` or `success` may be about anything. Many phrases
 * are a no.
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

/** Words that are a yes as the value of `passed` only. */
const underPassed = new Set(['y', 'ok', 'okay', '1']);

/** Symbols that replace a word. */
const marks: readonly (readonly [RegExp, VerdictWord])[] = [
  [/[✅✓✔👍🟢]/u, 'pass'],
  [/[❌✗✘👎🔴]/u, 'fail'],
  [/[⚠🟡]/u, 'warn'],
];

/** Keeps letters and digits of any script with single blanks between: `**PASS_WITH-WARNINGS**` becomes `pass with warnings`. */
export const normalisePhrase = (text: string): string =>
  text
    .slice(0, longestPhrase)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A longer text is not a verdict in one phrase. */
const longestPhrase = 80;
/** Characters of a remark in which a refusal is searched. */
const longestRemark = 2_000;

/** The word at the beginning of a longer text, and the mark after it: `PASS. All criteria are met.`, `FAIL - nothing was written`. */
const leading =
  /^[\s*_#"'`]{0,6}(pass(?:ed)?(?: with warnings?)?|fail(?:ed)?|approved|rejected|accepted|lgtm)\b[\s*_"'`]{0,6}([:.,;!–—(]|-(?!\w))(.*)$/isu;

/** Words that retract a statement before them, or put a condition on it. */
const denials =
  /\b(?:but|however|except|although|though|unless|until|once|if|provided|assuming|pending|not|cannot|fail(?:s|ed|ure)?|missing|lacks?|lacking|incomplete|incorrect|wrong|conditional(?:ly)?)\b|n['’]t\b/iu;

/** `1 of 2 criteria`. */
const share = /\b(\d{1,4}) ?(?:\/|of|out of) ?(\d{1,4})\b/giu;

/** Recognises a text that retracts something. */
export const denies = (text: string): boolean =>
  denials.test(text) || [...text.matchAll(share)].some(([, part, whole]) => Number(part) < Number(whole));

/** Reads the verdict of a value; undefined where it has none. A yes that the same text retracts does not count. */
export function parseVerdictWord(value: unknown, key: 'passed' | 'verdict' = 'verdict'): VerdictWord | undefined {
  if (typeof value === 'boolean') return value ? 'pass' : 'fail';
  if (value === 0) return 'fail';
  if (value === 1) return key === 'passed' ? 'pass' : undefined;
  if (typeof value !== 'string' || /[?:]\s*$|[{}[\]]/u.test(value)) return undefined;
  if (value.length <= longestPhrase && !value.includes(':')) {
    const plain = normalisePhrase(value);
    const word = byWord.get(plain) ?? (key === 'passed' && underPassed.has(plain) ? 'pass' : findMark(value));
    if (word !== undefined) return /\w\/\w/.test(value) && plain !== 'n a' ? undefined : word;
  }
  return leadingWord(value);
}

/** `PASS: all criteria are met`; in `passed: no` and `passed: 7` the word before the colon is a key. */
const reasonBehind = /^[\s*_]{1,6}\p{L}{2,}\s\p{L}{2,}[^:]*$/u;

/** Reads the first word of a sentence, unless the rest retracts it. */
export function leadingWord(text: string): VerdictWord | undefined {
  const [, first = '', mark = '', rest = ''] = leading.exec(text) ?? [];
  const word = byWord.get(normalisePhrase(first));
  const isYes = word === 'pass' || word === 'warn';
  return isYes && (denies(rest) || rest.trim().endsWith('?') || (mark === ':' && !reasonBehind.test(rest)))
    ? undefined
    : word;
}

/** Sentences that refuse the whole of what is judged. */
const refusal =
  /\b(?:does not|doesn['’]t|did not|didn['’]t|cannot|must not|should not) pass(?=[.,;!]|$)|\b(?:do not|don['’]t|cannot|should not|must not) (?:merge|approve|accept|ship)\b|\b(?:could not|couldn['’]t|cannot|can['’]t|unable to|impossible to) (?:verify|check|confirm|judge|see) (?:anything|any of|the (?:work|result|file)|this|it\b)/iu;

/** Recognises a remark that is a no to the whole. A mere `no` does not count: it may say that there is nothing to remark. */
export function refusesWhole(text: string): boolean {
  const word = leadingWord(text) ?? (text.trim().length > 'false'.length ? parseVerdictWord(text) : undefined);
  return word === 'fail' || refusal.test(text.slice(0, longestRemark));
}

/** Reads the word after the last colon or dash of a text: `the names: not met` has one, `a section - missing` does not. */
export function trailingWord(text: string): VerdictWord | undefined {
  const [, last] = /(?::|\s[-–—|]|→|=)\s*([^:|–—→=]{1,80})$/u.exec(text.trim()) ?? [];
  return last === undefined ? undefined : parseVerdictWord(last);
}

/** A symbol counts only in a text without letters or digits. */
const findMark = (text: string): VerdictWord | undefined =>
  normalisePhrase(text) === '' ? marks.find(([mark]) => mark.test(text))?.[1] : undefined;

/** Combines the words of one answer; `contradicts` where they include a yes and a no, or a yes and an undecided. */
export function combineWords(words: readonly VerdictWord[]): VerdictWord | 'contradicts' | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  const all = new Set(words);
  if (all.size === 1) return first;
  if (all.has('fail')) {
    all.delete('undecided');
    all.delete('partial');
    return all.size === 1 ? 'fail' : 'contradicts';
  }
  if (all.has('undecided')) return 'contradicts';
  return all.has('partial') ? 'partial' : 'warn';
}
