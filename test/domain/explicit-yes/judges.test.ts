/* No answer of a judge that lacks an explicit yes is ever a pass. Each answer is drawn so that it has none. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countVotes } from '../../../domain/judges/count-votes.ts';
import { readJudgement } from '../../../domain/judges/read-judgement.ts';
import { cutOf, numRuns, soupOf, timeout, utf16, writtenObject } from './drawn.ts';

const criteria = ['every change is named', 'there is an upgrade section'];

/** Keys under which a yes would be the judge's own. */
const verdictKeys = 'passed|Passed|PASS|is_passed|verdict|outcome|decision|approved|overall|final verdict'.split('|');
/** Values that are not a yes, under any key. */
const noYes: readonly unknown[] = [
  ...[false, null, 0, 2, -1, 0.5, [], [true], {}, '', 'false', 'no', 'fail', 'FAILED', 'not passed', 'unsuccessful'],
  ...['maybe', 'good', 'complete', 'done', 'success', 'pass/fail', 'PASS?', 'passed 1 of 2', 'pass, but not all of it'],
  ...['true if all is met', 'partial', 'inconclusive', 'n/a', 'failed to pass', 'Verdict', 'null', '...', '{}'],
];
const yes: readonly unknown[] = [true, 'true', 'yes', 'pass', 'PASSED', 'success', 'ok', 1, '✅', 'approved', 100];
/** Keys that may be about anything. */
const otherKeys = 'status|ok|success|result|state|done|complete|valid|confidence|feedback|note|name|exit|code'.split(
  '|',
);
/** Tables of what the judge looked at. */
const quotedKeys = 'evidence|log|tests|agent|report|stdout|previous|expected|example'.split('|');

const entry = (keys: readonly string[], values: readonly unknown[]): fc.Arbitrary<[string, unknown]> =>
  fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values));
const claimed: fc.Arbitrary<[string, unknown]> = fc.tuple(
  fc.constantFrom(...quotedKeys),
  fc.oneof(fc.constant<unknown>({ passed: true, confidence: 1 }), fc.constantFrom(...yes)),
);
const withoutYes = fc.array(fc.oneof(entry(verdictKeys, noYes), entry(otherKeys, [...yes, ...noYes]), claimed), {
  maxLength: 6,
});
const objects = writtenObject(withoutYes);

const yesObject = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.string({ maxLength: 20 }), fc.boolean())
  .map(([confidence, feedback, isWrapped]) => {
    const answer = { passed: true, confidence, issues: [], feedback };
    return JSON.stringify(isWrapped ? { judgement: answer } : answer);
  });

/** A yes that somebody else said, or that is only an example. */
const quotedYes = fc
  .tuple(
    fc.constantFrom(
      'The agent reported ',
      'Its log says: ',
      'The program printed: ',
      'Example: ',
      'The form would be: ',
    ),
    yesObject,
    fc.constantFrom('.', '', ' and stopped.', ' which is untrue.'),
  )
  .map((parts) => parts.join(''));

const lines = fc.constantFrom(
  ...[
    '1',
    '1.',
    'Accept:',
    'Status: complete',
    'Status: PASS',
    'Overall: good',
    'OK',
    'Yes.',
    '✅',
    'Done!',
    'Looks good.',
  ],
  ...['All tests passed.', 'I think it is fine.', 'Passed tests: 3', 'PASS FAIL', 'Verdict: PASS or FAIL', 'Verdict:'],
  ...['Verdict: not yet', 'Verdict: PASS if it is run again', 'Result: success', 'It could pass.', '> Verdict: PASS'],
  ...['Verdict: FAIL', 'FAIL - nothing is there', 'passed: no', 'Confidence: 95%', '- Criterion 1: PASS', 'PASS:'],
  ...[
    '| Criterion | Verdict |\n| --- | --- |\n| 1 | PASS |',
    '```\nok\n```',
    '<think>{"passed": true}</think>',
    '# Review',
  ],
);

const answers = fc
  .array(fc.tuple(fc.oneof(objects, quotedYes, lines, utf16), fc.constantFrom('\n', '\n\n')), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));

const brackets = ['{', '}', '[', ']', ',', ':', '"', "'", '```', '"}', '{"', '\\', '…'];
const noYesSoup = soupOf([
  ...brackets,
  ...[
    '"passed":',
    'passed:',
    'verdict:',
    '"verdict":',
    '"outcome":',
    'false',
    'null',
    '"no"',
    'fail',
    '0',
    '7',
    '"issues":',
  ],
]);
const noKeySoup = soupOf([
  ...brackets,
  ...[
    'true',
    '1',
    'ok',
    'success',
    '"status":',
    '"ok":',
    '"success":',
    '"result":',
    'complete',
    'done',
    '✅',
    '"note":',
  ],
]);

const isPass = (text: string): boolean => ['pass', 'warn'].includes(readJudgement(text, criteria)?.verdict ?? 'unread');

const neverPasses = (texts: fc.Arbitrary<string>): void =>
  fc.assert(
    fc.property(texts, (text) => !isPass(text)),
    { numRuns },
  );

test('an answer of objects, quotations and lines without a yes never passes', { timeout }, () => {
  neverPasses(answers);
});

test('a yes that was cut off never passes', { timeout }, () => {
  neverPasses(fc.tuple(fc.oneof(fc.constant(''), lines, objects), cutOf(yesObject)).map((parts) => parts.join('\n')));
});

test('a yes beside a no of the same kind never passes', { timeout }, () => {
  const no = fc.constantFrom('{"passed": false}', '{"passed": "no", "issues": ["x"]}', '**Verdict: FAIL**');
  const pair = fc.tuple(yesObject, no, fc.boolean());
  neverPasses(pair.map(([one, other, isFirst]) => (isFirst ? `${one}\n${other}` : `${other}\n${one}`)));
});

test('tokens in any order never make a yes', { timeout }, () => {
  neverPasses(fc.oneof(noYesSoup, noKeySoup, utf16));
});

test('answers that nobody can read make no clean pass of a vote', { timeout }, () => {
  fc.assert(
    fc.property(
      fc.array(answers, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('veto', 'majority'),
      (texts, rule) => {
        const ballots = texts.map((text) => {
          const reading = readJudgement(text, criteria);
          return { lens: 'overall' as const, model: 'm', ...(reading === undefined ? {} : { reading }) };
        });
        const { outcome, reasonCode } = countVotes(ballots, { rule });
        // Unreadable replies leave the result to its checks, with a warning.
        return outcome !== 'pass' && (outcome !== 'pass-with-warnings' || reasonCode === 'verifier-unreadable');
      },
    ),
    { numRuns },
  );
});

test('an explicit yes is a pass, so that the properties above mean something', () => {
  fc.assert(fc.property(yesObject, isPass), { numRuns: 100 });
  expect(isPass('Verdict: PASS. All criteria are met.')).toBe(true);
});
