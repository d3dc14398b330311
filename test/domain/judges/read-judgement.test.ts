/* Replies of judges: one form is requested, and models reply in many. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfidence } from '../../../domain/judges/read-confidence.ts';
import { readJudgement } from '../../../domain/judges/read-judgement.ts';

const criteria = ['every change is named', 'there is an upgrade section'];

type Row = [what: string, text: string, verdict: string | undefined, confidence?: number];

const rows: Row[] = [
  ['the form that is asked for', '{"passed": true, "confidence": 0.9, "issues": [], "feedback": ""}', 'pass', 0.9],
  ['a refusal', '{"passed": false, "confidence": 0.8, "issues": ["x is missing"]}', 'fail', 0.8],
  ['a fence', '```json\n{"passed": true, "confidence": 0.7}\n```', 'pass', 0.7],
  ['a fence without its end', '```json\n{"passed": false, "confidence": 0.7}', 'fail', 0.7],
  ['words around it', 'Here is my verdict:\n{"passed": true}\nHope that helps!', 'pass'],
  ['keys in capitals', '{"PASSED": true, "CONFIDENCE": 1}', 'pass', 1],
  ['keys of Pascal', '{"Passed": false, "Confidence": "0.6", "Issues": ["a"]}', 'fail', 0.6],
  ['snake case', '{"is_passed": true, "confidence_score": 85}', 'pass', 0.85],
  ['kebab case', '{"has-passed": true, "confidence-level": "high"}', 'pass', 0.9],
  ['a percentage', '{"passed": true, "confidence": "85%"}', 'pass', 0.85],
  ['a percentage as a number', '{"passed": true, "confidence": 85}', 'pass', 0.85],
  ['a percentage with a blank', '{"passed": true, "confidence": "85 %"}', 'pass', 0.85],
  ['a comma in a number', '{"passed": true, "confidence": "0,85"}', 'pass', 0.85],
  ['out of ten', '{"passed": true, "confidence": "8/10"}', 'pass', 0.8],
  ['yes', '{"passed": "yes"}', 'pass'],
  ['No.', '{"passed": "No."}', 'fail'],
  ['one for yes', '{"passed": 1}', 'pass'],
  ['a verdict in capitals', '{"verdict": "PASS", "confidence": 0.95}', 'pass', 0.95],
  ['a verdict of failure', '{"verdict": "FAILED"}', 'fail'],
  ['approved', '{"decision": "approved"}', 'pass'],
  ['changes requested', '{"decision": "changes_requested"}', 'fail'],
  ['an outcome of ours', '{"outcome": "pass-with-warnings", "confidence": 0.8}', 'warn', 0.8],
  ['an outcome in snake case', '{"outcome": "pass_with_warnings"}', 'warn'],
  ['partial', '{"outcome": "partial", "confidence": 0.6}', 'partial', 0.6],
  ['failed: true', '{"failed": true}', 'fail'],
  ['failed: false', '{"failed": false}', undefined],
  ['a wrapper', '{"verdict": {"passed": true, "confidence": 0.9}}', 'pass', 0.9],
  ['two wrappers', '{"response": {"judgement": {"passed": false}}}', 'fail'],
  ['a list of one', '[{"passed": true, "confidence": 0.5}]', 'pass', 0.5],
  [
    'an answer for each criterion',
    '{"criteria": [{"criterion": 1, "passed": true}, {"criterion": 2, "passed": false}]}',
    'fail',
  ],
  [
    'all criteria met',
    '{"results": [{"passed": true, "confidence": 0.9}, {"met": true, "passed": "yes", "confidence": 0.7}]}',
    'pass',
    0.7,
  ],
  ['Python', "{'passed': True, 'confidence': 0.9, 'issues': []}", 'pass', 0.9],
  ['a comma too much', '{"passed": false, "confidence": 0.9,}', 'fail', 0.9],
  ['keys without quotes', '{passed: true, confidence: 0.9}', 'pass', 0.9],
  ['comments', '{"passed": true, // all good\n "confidence": 0.9}', 'pass', 0.9],
  ['cut off', '{"passed": false, "confidence": 0.9, "issues": ["the upgrade section is', 'fail', 0.9],
  ['JSON in a string', '"{\\"passed\\": true, \\"confidence\\": 0.9}"', 'pass', 0.9],
  ['thoughts before it', '<think>maybe {"passed": false}?</think>{"passed": true}', 'pass'],
  ['a byte order mark', '\uFEFF{"passed": true}', 'pass'],
  ['YAML', 'passed: false\nconfidence: 0.9\nfeedback: name every change', 'fail', 0.9],
  ['Markdown', '**Verdict:** PASS\n**Confidence:** 90%', 'pass', 0.9],
  ['a heading', '## Verdict: FAIL\n\nIssues:\n- the upgrade section is missing', 'fail'],
  ['tags', '<verdict>pass</verdict><confidence>0.8</confidence>', 'pass', 0.8],
  ['a table', '| passed | yes |\n| confidence | 70% |', 'pass', 0.7],
  ['one word', 'PASS', 'pass'],
  ['one word with a mark', '✅ Passed', 'pass'],
  ['a mark alone', '❌', 'fail'],
  ['lgtm', 'LGTM!', 'pass'],
  ['a word, then why', 'FAIL - the second criterion is not met.', 'fail'],
  ['it cannot tell', '{"outcome": "inconclusive", "confidence": 0.2}', 'undecided', 0.2],
  // These replies are unreadable.
  ['nothing', '', undefined],
  ['an apology', "I'm sorry, but I cannot help with that.", undefined],
  ['talk about passing', 'The tests pass when one runs them, and fail otherwise.', undefined],
  ['yes and no', '{"passed": true, "outcome": "fail"}', undefined],
  ['two lines that differ', 'Verdict: pass\nResult: fail', undefined],
  ['another object', '{"name": "x", "confidence": 0.9}', undefined],
  ['a score alone', '{"score": 0.9}', undefined],
  ['only thoughts', '<think>{"passed": true}', undefined],
  ['the form itself', '{"passed": true or false, "confidence": 0.0 to 1.0}', undefined],
  ['a number', '42', undefined],
  ['a list of words', '["pass", "fail"]', undefined],
  ['an unsafe key', '{"__proto__": {"passed": true}}', undefined],
];

describe('an answer of a judge', () => {
  test.each(rows)('is read: %s', (_, text, verdict, confidence) => {
    const reading = readJudgement(text, criteria);
    expect(reading?.verdict).toBe(verdict);
    expect(reading?.confidence).toBe(confidence);
  });

  test.each<[string, string, unknown[]]>([
    ['texts', '{"passed": false, "issues": ["a", "b"]}', [{ message: 'a' }, { message: 'b' }]],
    ['one text', '{"passed": false, "issues": "a is missing"}', [{ message: 'a is missing' }]],
    ['none in words', '{"passed": true, "issues": "None"}', []],
    [
      'objects',
      '{"passed": false, "Issues": [{"Message": "m", "Criterion": 2, "File": "a.md"}]}',
      [{ message: 'm', criterion: 2, path: 'a.md' }],
    ],
    [
      'a criterion by its words',
      '{"passed": false, "problems": [{"problem": "m", "criterion": "There is an upgrade section"}]}',
      [{ message: 'm', criterion: 2 }],
    ],
    [
      'a criterion as C1',
      '{"passed": false, "issues": [{"issue": "m", "criterion": "C1"}]}',
      [{ message: 'm', criterion: 1 }],
    ],
    [
      'a criterion that is not there',
      '{"passed": false, "issues": [{"issue": "m", "criterion": 7}]}',
      [{ message: 'm' }],
    ],
    [
      'a table of texts',
      '{"passed": false, "issues": {"first": "a", "second": "b"}}',
      [{ message: 'a' }, { message: 'b' }],
    ],
    [
      'a list below a heading',
      'Verdict: fail\n\n### Issues\n1. a is missing\n2) b is wrong',
      [{ message: 'a is missing' }, { message: 'b is wrong' }],
    ],
    [
      'criteria that failed',
      '{"criteria": [{"criterion": 1, "passed": true}, {"criterion": 2, "passed": false, "reason": "no section"}]}',
      [{ message: 'no section', criterion: 2 }],
    ],
  ])('names its issues as %s', (_, text, issues) => {
    expect(readJudgement(text, criteria)?.issues).toEqual(issues);
  });

  test('keeps only a bounded part', () => {
    const issues = Array.from({ length: 500 }, (_, n) => `issue ${n} ${'x'.repeat(400)}`);
    const reading = readJudgement(JSON.stringify({ passed: false, issues, feedback: 'y'.repeat(50_000) }), criteria);
    expect(JSON.stringify(reading).length).toBeLessThan(6_000);
  });

  test('is read without an error, with the same result each time', () => {
    const odd = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.json(),
      fc.mixedCase(fc.constantFrom('{"passed": true, "confidence": 0.5}', 'verdict: fail', '<verdict>pass</verdict>')),
      fc
        .array(
          fc.constantFrom(
            '{',
            '}',
            '"passed"',
            ':',
            'true',
            'false',
            '```',
            '\n',
            'verdict',
            'PASS',
            '<think>',
            '| ',
            ' is ',
          ),
          { maxLength: 60 },
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(odd, (text) => {
        const reading = readJudgement(text, criteria);
        expect(readJudgement(text, criteria)).toEqual(reading);
        if (reading?.confidence !== undefined) expect(reading.confidence >= 0 && reading.confidence <= 1).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['key: '.repeat(40_000)],
    ['verdict '.repeat(40_000)],
    ['<verdict>'.repeat(30_000)],
    ['{"passed": '.repeat(20_000)],
    ['- item\n'.repeat(40_000)],
    [`issues${' '.repeat(200_000)}`],
    ['<think>'.repeat(40_000)],
  ])('is read in bounded time, whatever it repeats', (text) => {
    const started = performance.now();
    readJudgement(text, criteria);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("a judge's confidence", () => {
  test.each<[unknown, number | undefined]>([
    [0, 0],
    [1, 1],
    [0.5, 0.5],
    [100, 1],
    [1.5, 1],
    [2, 0.02],
    ['1.5', 1],
    ['1.5%', 0.015],
    [101, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    ['0.85', 0.85],
    ['.85', 0.85],
    ['85', 0.85],
    ['85%', 0.85],
    ['100 percent', 1],
    ['1%', 0.01],
    ['~90%', 0.9],
    ['4 out of 5', 0.8],
    ['9/10', 0.9],
    ['11/10', undefined],
    ['1/0', undefined],
    ['Very High', 0.95],
    ['MEDIUM', 0.6],
    ['low', 0.3],
    ['quite', undefined],
    ['', undefined],
    [true, undefined],
    [null, undefined],
    [['0.9'], undefined],
  ])('of %j is %s', (value, share) => {
    expect(readConfidence(value)).toBe(share);
  });
});
