import { describe, expect, test } from 'vitest';
import { confirmedTargets, type TargetEvidence } from '../../../domain/evidence/confirmed-targets.ts';
import { lacksOnlyEvidence, listOwedTargets } from '../../../domain/evidence/owed-targets.ts';
import type { Ballot } from '../../../domain/judges/count-votes.ts';
import { judgedIssues } from '../../../domain/judges/judged-issues.ts';
import type { Issue } from '../../../domain/types/attempt.ts';
import { judgementOf } from '../support-task.ts';

const gap = (given: Partial<Issue> = {}): Issue => ({
  code: 'evidence-gap',
  severity: 'hard',
  message: 'There is no evidence for this: the price',
  ...given,
});

const ballot = (missingEvidence: string[], messages: string[] = []): Ballot => ({
  lens: 'overall',
  model: 'm',
  reading: {
    verdict: 'fail',
    confidence: 0.9,
    issues: messages.map((message) => ({ message })),
    feedback: '',
    missingEvidence,
    reason: '',
    remarks: '',
  },
});

describe('what a failed verdict owes', () => {
  test.each<[string, Issue[], boolean]>([
    ['evidence alone', [gap(), gap({ code: 'unconfirmed-data' })], true],
    ['evidence beside a warning', [gap(), gap({ code: 'rule-violated', severity: 'advisory' })], true],
    ['evidence and a failed command', [gap(), gap({ code: 'verify-command-failed' })], false],
    ['nothing hard', [gap({ severity: 'advisory' })], false],
    ['nothing', [], false],
  ])('is told apart: %s', (_, issues, only) => {
    expect(lacksOnlyEvidence(issues)).toBe(only);
  });

  test('is what judges miss, with the code that they give', () => {
    const judgement = judgementOf({ outcome: 'fail', reasonCode: 'unconfirmed-data' });
    const issues = judgedIssues(judgement, [ballot(['the price', 'the date']), ballot(['The  price'])]);
    expect(issues.map(({ code }) => code)).toEqual(['unconfirmed-data', 'unconfirmed-data', 'unconfirmed-data']);
    expect(listOwedTargets(issues)).toEqual(['the price', 'the date']);
  });

  test('is what the issues say where no target is named', () => {
    const judgement = judgementOf({ outcome: 'fail', reasonCode: 'evidence-gap' });
    expect(listOwedTargets(judgedIssues(judgement, [ballot([], ['No source for the price.'])]))).toEqual([
      'No source for the price.',
    ]);
  });

  test('is bounded in number and length', () => {
    const targets = listOwedTargets(Array.from({ length: 50 }, (_, n) => gap({ target: `${n}${'x'.repeat(500)}` })));
    expect([targets.length, Math.max(...targets.map(({ length }) => length))]).toEqual([20, 200]);
  });
});

describe('a target', () => {
  const record = (given: Partial<TargetEvidence>): TargetEvidence => ({
    claim: 'it costs 3',
    quality: 'sourced',
    attempt: 4,
    ...given,
  });

  test.each<[string, TargetEvidence, string[]]>([
    ['by a record that names it', record({ target: 'The Price' }), ['the price']],
    ['by a record with its words as the claim', record({ claim: 'the  price', quality: 'confirmed' }), ['the price']],
    ['not by a record of an earlier attempt', record({ target: 'the price', attempt: 3 }), []],
    ['not by a record without a source', record({ target: 'the price', quality: 'claimed' }), []],
    ['not by a search that found nothing', record({ target: 'the price', quality: 'not-found' }), []],
  ])('is confirmed %s', (_, evidence, confirmed) => {
    expect(confirmedTargets(['the price', 'the date'], [evidence], 4)).toEqual(confirmed);
  });
});
