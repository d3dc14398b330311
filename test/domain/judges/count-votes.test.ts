/* The combined result of several judges, its feedback for the next attempt, and its signature. */
import { describe, expect, test } from 'vitest';
import { claimsPlaceholder, placeholder } from '../../../domain/judges/claims.ts';
import { countVotes, type Ballot } from '../../../domain/judges/count-votes.ts';
import { judgedFailure, judgedIssues } from '../../../domain/judges/judged-issues.ts';
import type { JudgeReading } from '../../../domain/judges/reading.ts';

const reading = (
  verdict: JudgeReading['verdict'],
  confidence?: number,
  given: Partial<JudgeReading> = {},
): JudgeReading => ({
  verdict,
  confidence,
  issues: [],
  feedback: '',
  missingEvidence: [],
  reason: '',
  remarks: '',
  ...given,
});

const ballot = (verdict?: JudgeReading['verdict'], confidence?: number, given: Partial<JudgeReading> = {}): Ballot => ({
  lens: 'overall',
  model: 'm',
  ...(verdict === undefined ? {} : { reading: reading(verdict, confidence, given) }),
});

const pass = ballot('pass', 0.9);
const veto = ballot('fail', 0.7);
const doubt = ballot('fail', 0.69);
const unread = ballot();
const dead: Ballot = { ...unread, isDead: true };
const contradicted: Ballot = { ...veto, isContradicted: true };

describe('votes', () => {
  test.each<[string, 'veto' | 'majority', Ballot[], string]>([
    ['all for it', 'veto', [pass, pass, pass], 'pass'],
    ['one confident veto of three', 'veto', [pass, pass, veto], 'fail'],
    ['one that is not sure', 'veto', [pass, pass, doubt], 'pass-with-warnings'],
    ['two that are not sure', 'veto', [pass, doubt, doubt], 'fail'],
    ['one of two that is not sure', 'veto', [pass, doubt], 'pass-with-warnings'],
    ['one confident veto', 'majority', [pass, pass, veto], 'pass-with-warnings'],
    ['two against one', 'majority', [pass, veto, doubt], 'fail'],
    ['a tie', 'majority', [pass, veto], 'fail'],
    ['one alone', 'majority', [pass], 'pass'],
    ['one alone against it, not sure', 'majority', [ballot('fail', 0.1)], 'fail'],
    ['a warning', 'veto', [ballot('warn', 0.9)], 'pass-with-warnings'],
    ['evidence is missing', 'veto', [ballot('pass', 0.9, { missingEvidence: ['the price'] })], 'pass-with-warnings'],
    ['partly', 'veto', [ballot('partial', 0.9)], 'partial-verified'],
    ['nobody can be read', 'veto', [unread, unread, unread], 'pass-with-warnings'],
    ['nobody can be asked', 'veto', [dead, dead], 'pass-with-warnings'],
    ['one cannot be read', 'veto', [pass, pass, unread], 'pass-with-warnings'],
    ['one cannot be read, one is against it', 'veto', [pass, veto, unread], 'fail'],
    ['it cannot tell', 'majority', [ballot('undecided', 0.9)], 'pass-with-warnings'],
    ['the files contradict it', 'majority', [contradicted], 'inconclusive'],
    ['the files contradict the veto', 'veto', [pass, pass, contradicted], 'inconclusive'],
    ['another veto stands', 'veto', [pass, veto, contradicted], 'fail'],
    ['the contradicted one was outvoted', 'majority', [pass, pass, contradicted], 'pass-with-warnings'],
  ])('decide: %s (%s)', (_, rule, ballots, outcome) => {
    expect(countVotes(ballots, { rule })).toMatchObject({ outcome, contradictions: 0 });
  });

  test("record each judge's verdict and the combined confidence", () => {
    expect(countVotes([pass, ballot('pass'), unread], { rule: 'veto' })).toMatchObject({
      confidence: 0.7,
      votes: [
        { passed: true, confidence: 0.9 },
        { passed: true, confidence: 0.5 },
        { passed: null, confidence: 0 },
      ],
    });
    expect(countVotes([veto, ballot('fail', 0.95)], { rule: 'veto' }).confidence).toBe(0.95);
  });

  test.each<[string, Ballot[], string | null, string | null]>([
    ['all for it', [pass], null, null],
    ['against it', [veto], 'criteria-unmet', 'semantic'],
    [
      'against it for a placeholder',
      [ballot('fail', 0.9, { issues: [{ message: 'A TODO is left.' }] })],
      'placeholder-left',
      'semantic',
    ],
    ['evidence', [ballot('fail', 0.9, { missingEvidence: ['the price'] })], 'evidence-gap', 'semantic'],
    ['by its own name', [ballot('fail', 0.9, { reason: 'UNCONFIRMED_DATA' })], 'unconfirmed-data', 'semantic'],
    ['unread', [unread], 'verifier-unreadable', 'inconclusive'],
    ['dead', [dead], 'verifier-unreadable', 'infra'],
    ['contradicted', [contradicted], 'verifier-contradicted', 'inconclusive'],
  ])('have a reason and a severity: %s', (_, ballots, reasonCode, severity) => {
    expect(countVotes(ballots, { rule: 'majority' })).toMatchObject({ reasonCode, severity });
  });
});

describe('the feedback for the next attempt', () => {
  const criteria = ['every change is named', 'there is an upgrade section'];
  const failing = (words: string, criterion = 2): Ballot =>
    ballot('fail', 0.9, { issues: [{ message: words, criterion, path: 'NOTES.md' }], feedback: `Do this: ${words}` });
  const failureFor = (ballots: Ballot[]) => {
    const judgement = countVotes(ballots, { rule: 'majority' });
    return judgedFailure(judgement, judgedIssues(judgement, ballots), { ballots, criteria });
  };

  test('names the issue, the criterion and the advice', () => {
    const failure = failureFor([failing('The section is missing.')]);
    expect(failure).toMatchObject({
      type: 'verification-failed',
      category: 'quality',
      suggestedFix: 'Do this: The section is missing.',
    });
    expect(failure.details).toContain('NOTES.md: The section is missing.');
    expect(failure.details).toContain('2. there is an upgrade section');
  });

  test('is signed by its reason, criteria and files, not by its wording', () => {
    const { signature } = failureFor([failing('The section is missing.')]);
    expect(failureFor([failing('I see no part about upgrading.')]).signature).toBe(signature);
    expect(failureFor([failing('The section is missing.', 1)]).signature).not.toBe(signature);
    expect(failureFor([ballot('fail', 0.9, { missingEvidence: ['x'] })]).type).toBe('evidence-gap');
  });

  test('is never empty', () => {
    expect(failureFor([ballot('fail', 0.9)]).summary).not.toBe('');
  });
});

describe('a claim that a placeholder is left', () => {
  const claims = (message: string, ...more: string[]) =>
    claimsPlaceholder(reading('fail', 0.9, { issues: [message, ...more].map((text) => ({ message: text })) }));

  test('is made where the failure rests on nothing else', () => {
    expect(claims('A TODO remains in NOTES.md')).toBe(true);
    expect(claims('There is placeholder text', 'TBD is left in line 3')).toBe(true);
    expect(claims('[INSERT NAME] was not replaced')).toBe(true);
    expect(claims('A TODO remains', 'The total is wrong')).toBe(false);
    expect(claims('The total is wrong')).toBe(false);
    expect(claimsPlaceholder(reading('fail', 0.9, { feedback: 'Remove the TODO.' }))).toBe(true);
    expect(claimsPlaceholder(reading('pass', 0.9, { feedback: 'Remove the TODO.' }))).toBe(false);
  });

  test.each<[string, boolean]>([
    ['// TODO: write this', true],
    ['TBD', true],
    ['[INSERT NAME HERE]', true],
    ['[Your name]', true],
    ['Lorem ipsum dolor', true],
    ['The date is to be determined.', true],
    ['todo: later', true],
    ['A list of todos for everybody.', false],
    ['method', false],
    ['See [the docs](x).', false],
    ['mastodon', false],
    ['TODOs.md', false],
  ])('is checked on %j: %s', (text, isThere) => {
    expect(new RegExp(placeholder, 'mu').test(text)).toBe(isThere);
  });
});
