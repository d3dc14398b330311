/** What a word says about the work. `undecided`: the judge says that it cannot tell. */
export type Word = 'pass' | 'warn' | 'partial' | 'fail' | 'undecided';

/** As `plainWords` leaves them. Models say the same in many ways; a word that is not here says nothing. */
const words: Readonly<Record<Word, readonly string[]>> = {
  pass: [
    ...[
      'pass',
      'passed',
      'passes',
      'passing',
      'ok',
      'okay',
      'yes',
      'y',
      'true',
      '1',
      'success',
      'successful',
      'succeeded',
    ],
    ...['approve', 'approved', 'accept', 'accepted', 'acceptable', 'valid', 'correct', 'complete', 'completed', 'good'],
    ...['lgtm', 'satisfied', 'met', 'all met', 'verified', 'compliant', 'full pass', 'fully met'],
  ],
  warn: [
    ...['pass with warnings', 'passed with warnings', 'pass with warning', 'warning', 'warnings', 'warn'],
    ...['approved with comments', 'pass with comments', 'accepted with comments', 'minor issues', 'conditional pass'],
  ],
  partial: [
    'partial',
    'partially',
    'partial verified',
    'partially verified',
    'partially met',
    'partial pass',
    'partly',
  ],
  fail: [
    ...[
      'fail',
      'failed',
      'fails',
      'failing',
      'failure',
      'no',
      'n',
      'false',
      '0',
      'reject',
      'rejected',
      'deny',
      'denied',
    ],
    ...['invalid', 'incorrect', 'incomplete', 'unacceptable', 'not ok', 'not passed', 'did not pass', 'needs work'],
    ...['needs changes', 'changes requested', 'request changes', 'needs revision', 'not met', 'unmet', 'bad', 'wrong'],
    ...[
      'not approved',
      'not accepted',
      'unsatisfied',
      'non compliant',
      'disapproved',
      'not acceptable',
      'not complete',
    ],
  ],
  undecided: [
    'inconclusive',
    'unknown',
    'unsure',
    'uncertain',
    'unclear',
    'undecided',
    'cannot tell',
    'cannot determine',
    'n a',
  ],
};

const byWord = new Map<string, Word>(
  Object.entries(words).flatMap(([word, said]) => said.map((each): [string, Word] => [each, word as Word])),
);

/** Marks that stand for a word. */
const marks: readonly (readonly [RegExp, Word])[] = [
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

/** The word that a value says; undefined where it says none. */
export function wordOf(value: unknown): Word | undefined {
  if (typeof value === 'boolean') return value ? 'pass' : 'fail';
  if (value === 1 || value === 0) return value === 1 ? 'pass' : 'fail';
  if (typeof value !== 'string' || value.length > longestWords) return undefined;
  return byWord.get(plainWords(value)) ?? markIn(value);
}

/** Only where nothing else is said that could mean something else. */
const markIn = (text: string): Word | undefined =>
  plainWords(text) === '' ? marks.find(([mark]) => mark.test(text))?.[1] : undefined;

/** What several words of one answer say together; `contradicts` where one says yes and another no. */
export function agree(said: readonly Word[]): Word | 'contradicts' | undefined {
  const [first] = said;
  if (first === undefined) return undefined;
  const kinds = new Set(said);
  kinds.delete('undecided');
  if (kinds.size === 0) return 'undecided';
  if (kinds.has('fail')) return kinds.size === 1 || (kinds.size === 2 && kinds.has('partial')) ? 'fail' : 'contradicts';
  if (kinds.has('partial')) return 'partial';
  return kinds.has('warn') ? 'warn' : 'pass';
}
