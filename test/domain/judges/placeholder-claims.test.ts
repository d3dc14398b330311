/*
 * A search of the files can refute one complaint of a judge: that a literal placeholder is in a file. Complaints about behaviour, a stub
 * or anything else are never refuted by clean files.
 */
import { describe, expect, test } from 'vitest';
import { findLiteralClaim } from '../../../domain/judges/placeholder-claim.ts';
import { readJudgement } from '../../../domain/judges/read-judgement.ts';

const criteria = ['parse() rejects bad input', 'no TODO is left in the notes'];

/** As a judge writes it, so that the whole way from its answer is covered. */
function claimOf(issues: unknown[], given: object = {}) {
  const reading = readJudgement(JSON.stringify({ passed: false, confidence: 0.95, issues, ...given }), criteria);
  return reading === undefined ? undefined : findLiteralClaim(reading, criteria);
}

describe('a claim that files can refute', () => {
  test.each<[issue: unknown, literals: string[], paths: string[]]>([
    ['A TODO remains.', ['TODO'], []],
    ['A TODO remains in NOTES.md', ['TODO'], ['NOTES.md']],
    ['NOTES.md still contains a TODO comment on line 3.', ['TODO'], ['NOTES.md']],
    ['There are FIXME markers left in `src/a.ts:12`', ['FIXME'], ['src/a.ts']],
    ['TBD is left in line 3', ['TBD'], []],
    ['The file contains "lorem ipsum" text.', ['lorem ipsum'], []],
    ['[INSERT NAME] was not replaced', ['[INSERT NAME]'], []],
    ['The placeholder `{{company}}` was not removed from letter.md', ['{{company}}'], ['letter.md']],
    ['There is still a todo in the file', ['todo'], []],
    [{ message: 'A TODO remains.', path: 'NOTES.md' }, ['TODO'], ['NOTES.md']],
    [{ message: 'A TODO remains.', criterion: 2 }, ['TODO'], []],
  ])('is %j', (issue, literals, paths) => {
    expect(claimOf([issue])).toEqual({ literals, paths });
  });

  test('may consist of several such issues', () => {
    expect(claimOf(['A TODO remains in a.md', 'b.md contains TBD.'])).toEqual({
      literals: ['TODO', 'TBD'],
      paths: ['a.md', 'b.md'],
    });
  });

  test('may come with advice about the same placeholder', () => {
    expect(claimOf(['A TODO remains.'], { feedback: 'Remove the TODO.' })).toEqual({ literals: ['TODO'], paths: [] });
  });
});

describe('a complaint that files cannot refute', () => {
  test.each<[issue: unknown]>([
    ['parse() is left as a stub.'],
    ['The function is a stub: it returns a constant.'],
    ['parse() is still a TODO: it returns a constant.'],
    ['The error handling is left as a TODO.'],
    ['The validation is TODO'],
    ['It is still TODO.'],
    ['The table was not filled in.'],
    ['Names are to be filled in.'],
    ['The date is to be determined.'],
    ['The release date is TBD.'],
    ['The function returns a placeholder value.'],
    ['Placeholder text remains in report.md'],
    ['The todo list does not persist its items.'],
    ['The TODO app has no delete button.'],
    ['A TODO remains and the total is wrong.'],
    ['A TODO remains because parse() does not reject bad input.'],
    ['TODO: the upgrade section is not written.'],
    ['It says TODO instead of the price'],
    ['The TODO in the request was not done.'],
    ['The total is wrong.'],
    [{ message: 'A TODO remains.', criterion: 1 }],
    [{ message: 'A TODO remains.', criterion: 1, path: 'parse.ts' }],
    [{ criterion: 1 }],
  ])('is %j', (issue) => {
    expect(claimOf([issue])).toBeUndefined();
  });

  test('is another issue in the same verdict', () => {
    expect(claimOf(['A TODO remains in a.md', 'The total is wrong'])).toBeUndefined();
  });

  test.each<[what: string, given: object]>([
    ['evidence that is missing', { missingEvidence: ['the price'] }],
    ['advice about something else', { feedback: 'Remove the TODO and make parse() reject bad input.' }],
    ['a reason of another kind', { reasonCode: 'evidence-gap' }],
    ['a failed criterion beside it', { criteria: [{ criterion: 1, passed: false }] }],
    ['a list of unmet criteria beside it', { unmetCriteria: [1] }],
  ])('is %s', (_, given) => {
    expect(claimOf(['A TODO remains.'], given)).toBeUndefined();
  });

  test('is advice alone, without an issue', () => {
    expect(claimOf([], { feedback: 'The TODO in parse() must return the real value.' })).toBeUndefined();
  });

  test('is not a yes', () => {
    expect(claimOf(['A TODO remains.'], { passed: true })).toBeUndefined();
  });
});
