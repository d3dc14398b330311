import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { boundFindings, type Findings } from '../../../activities/verify/bound-findings.ts';
import { decideOutcome } from '../../../activities/verify/decide-outcome.ts';
import { createVerifySubtask } from '../../../activities/verify/verify-subtask.ts';
import type { Issue, Verdict, VerifyInput } from '../../../domain/types/attempt.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { codesOf, VerifyRig } from './rig.ts';

// The verdict as a whole: everything wrong is in it, the outcome follows from it, and it is small whatever it was made of.

/** Up to 3,000 characters: few, again and again, since drawing each takes longer than all that is looked at. */
const anyText = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat(100))
  .map(([unit, times]) => unit.repeat(times));
const anyIssue: fc.Arbitrary<Issue> = fc.record(
  {
    code: fc.constantFrom('syntax-invalid', 'deliverable-outside', 'rule-violated', 'verify-command-failed'),
    severity: fc.constantFrom('hard', 'advisory'),
    message: anyText,
    path: anyText,
    details: anyText,
  },
  { requiredKeys: ['code', 'severity', 'message'] },
);
const ref = { sha256: 'f'.repeat(64), bytes: 2 ** 40 };
const checks = { passed: 0, total: 1 };

function bytesOf(verdict: Findings): number {
  return Buffer.byteLength(JSON.stringify(verdict));
}

function issue(severity: Issue['severity'], text = 'x', code: Issue['code'] = 'rule-violated'): Issue {
  return { code, severity, message: text, path: text, details: text };
}

describe('the outcome', () => {
  test.each<[Issue[], 'success' | 'partial' | undefined, boolean, Verdict['outcome']]>([
    [[], undefined, false, 'pass'],
    [[], 'success', false, 'pass'],
    [[issue('advisory')], 'success', false, 'pass-with-warnings'],
    [[issue('hard')], 'success', true, 'fail'],
    [[], 'partial', true, 'partial-verified'],
    [[issue('advisory')], 'partial', true, 'partial-verified'],
    [[], 'partial', false, 'fail'],
    [[issue('hard')], 'partial', true, 'fail'],
  ])('%#', (issues, status, allowPartial, outcome) => {
    const contract = status === undefined ? undefined : { status };
    expect(decideOutcome(issues, { contract, allowPartial, checked: true }).outcome).toBe(outcome);
  });

  test.each<[Issue[], Verdict['outcome']]>([
    [[], 'unchecked'],
    [[issue('advisory', 'x', 'contract-mismatch')], 'unchecked'],
    [[issue('hard', 'x', 'empty-output')], 'fail'],
  ])('without any check is never a pass: %#', (issues, outcome) => {
    expect(
      decideOutcome(issues, { contract: { status: 'success' }, allowPartial: false, checked: false }).outcome,
    ).toBe(outcome);
  });

  test('partial without any check is unchecked, and says that it is partial', () => {
    const given = { contract: { status: 'partial' as const, notes: 'half' }, allowPartial: true };
    const { outcome, issues } = decideOutcome([], { ...given, checked: false });
    expect([outcome, issues.map(({ code, severity }) => `${severity} ${code}`)]).toEqual([
      'unchecked',
      ['advisory partial'],
    ]);
    expect(decideOutcome([], { ...given, checked: true }).outcome).toBe('partial-verified');
    expect(decideOutcome([], { ...given, allowPartial: false, checked: false }).outcome).toBe('fail');
  });

  test('never throws, and a hard issue always fails', () => {
    const contract = fc.record({ status: fc.constantFrom('success', 'partial', 'failed', 'blocked'), notes: anyText });
    fc.assert(
      fc.property(fc.array(anyIssue), contract, fc.boolean(), fc.boolean(), (issues, report, allowPartial, checked) => {
        const { outcome } = decideOutcome(issues, { contract: report, allowPartial, checked });
        if (issues.some(({ severity }) => severity === 'hard')) expect(outcome).toBe('fail');
        expect(outcome === 'pass').toBe(checked && issues.length === 0 && report.status !== 'partial');
      }),
    );
  });
});

describe('the size', () => {
  test('is bounded for any verdict, and the outcome and the hard issues survive', () => {
    const command = fc.record({
      command: anyText,
      exit: fc.constantFrom(0, 1, null),
      summary: anyText,
      output: fc.constant(ref),
    });
    const file = fc.record({
      path: anyText,
      state: fc.constantFrom('created', 'unchanged', 'missing'),
      lines: fc.nat(),
    });
    const verdict = fc.record<Findings>({
      outcome: fc.constantFrom('pass', 'fail'),
      issues: fc.array(anyIssue, { maxLength: 30 }),
      commands: fc.array(command, { maxLength: 30 }),
      files: fc.array(file, { maxLength: 60 }),
      checks: fc.constant(checks),
    });
    fc.assert(
      fc.property(verdict, (one) => {
        const bounded = boundFindings(one);
        expect(bytesOf(bounded)).toBeLessThanOrEqual(activityLimits.verdictBytes);
        expect(bounded.outcome).toBe(one.outcome);
        expect(bounded.issues.length).toBe(Math.min(one.issues.length, activityLimits.verdictIssues));
        const hasHard = (all: Issue[]): boolean => all.some(({ severity }) => severity === 'hard');
        expect(hasHard(bounded.issues)).toBe(hasHard(one.issues));
      }),
      { numRuns: 200 },
    );
  });

  test.each(['x', 'ü', '漢', '\u0000', '\ud800', '"\\', '😀', '\n'])('is bounded for walls of %j', (unit) => {
    const wall = unit.repeat(1_000);
    const verdict = boundFindings({
      outcome: 'fail',
      issues: Array.from({ length: 50 }, () => issue('hard', wall)),
      commands: Array.from({ length: 60 }, () => ({ command: wall, exit: 1, summary: wall, output: ref })),
      files: Array.from({ length: 120 }, () => ({ path: wall, state: 'created', lines: 1 })),
      checks,
    });
    expect(bytesOf(verdict)).toBeLessThanOrEqual(activityLimits.verdictBytes);
    expect(verdict.issues.at(-1)?.message).toBe('41 more issues were found and are not listed here.');
  });

  test('safety and hard issues are kept before warnings, in the order of the checks', () => {
    const issues = [
      ...Array.from({ length: 12 }, (_, index) => issue('advisory', `warning ${index}`)),
      ...Array.from({ length: 5 }, (_, index) => issue('hard', `hard ${index}`)),
      issue('hard', 'outside', 'deliverable-outside'),
    ];
    const { issues: kept } = boundFindings({ outcome: 'fail', issues, commands: [], files: [], checks });
    expect(kept.map(({ message }) => message)).toEqual([
      'warning 0',
      'warning 1',
      'warning 2',
      'hard 0',
      'hard 1',
      'hard 2',
      'hard 3',
      'hard 4',
      'outside',
      '9 more issues were found and are not listed here.',
    ]);
    expect(kept.at(-1)?.severity).toBe('advisory');
  });

  test('what fits is left as it is', () => {
    const verdict: Findings = {
      outcome: 'fail',
      issues: [issue('hard', 'a sentence.')],
      commands: [{ command: 'npm test', exit: 1, summary: 'no', output: ref }],
      files: [{ path: 'a', state: 'created', lines: 1 }],
      checks,
    };
    expect(boundFindings(verdict)).toEqual(verdict);
  });

  test('a failing command is kept where passing ones are dropped', () => {
    const commands = Array.from({ length: 100 }, (_, index) => ({
      command: `c${index}`,
      exit: index === 50 ? 1 : 0,
      summary: 'x',
      output: ref,
    }));
    const { commands: kept } = boundFindings({ outcome: 'fail', issues: [], commands, files: [], checks });
    expect(kept.length).toBeLessThan(100);
    expect(kept.some(({ command }) => command === 'c50')).toBe(true);
  });
});

describe('one verification', () => {
  let rig: VerifyRig;
  beforeEach(async () => {
    rig = await VerifyRig.make();
  });
  afterEach(() => rig.remove());

  test('tells everything that is wrong, in the order of the checks', async () => {
    await rig.write({ 'a.json': '{ TODO', 'NOTES.md': 'x' });
    const verdict = await rig.verify({
      deliverables: ['gone.md', 'a.json', 'NOTES.md'],
      requiredSections: ['Changes'],
      rules: [{ pattern: 'TODO', in: [], must: 'absent', severity: 'advisory' }],
      diff: true,
      stdout: 'no diff',
      contractCheck: 'warn',
      contract: { status: 'partial', deliverablesTouched: ['gone.md'] },
      verify: ['exit 1'],
    });
    expect(verdict.outcome).toBe('fail');
    expect(codesOf(verdict)).toEqual([
      'hard deliverable-missing',
      'hard syntax-invalid',
      'hard missing-sections',
      'advisory rule-violated',
      'hard diff-invalid',
      'advisory contract-mismatch',
      'hard verify-command-failed',
      'hard partial',
    ]);
  });

  test('that failed is classified, and has no result', async () => {
    const verdict = await rig.verify({ requiredSections: ['Changes'], stdout: 'no heading' });
    expect(verdict).toMatchObject({
      outcome: 'fail',
      failure: {
        type: 'missing-sections',
        category: 'quality',
        suggestedFix: expect.stringContaining('Changes') as string,
      },
      result: null,
    });
  });

  test('whose command meets a machine that does not answer says so: the work is not to blame', async () => {
    const verdict = await rig.verify({ verify: ['echo "connect ECONNREFUSED 127.0.0.1:5432" >&2; exit 1'] });
    expect(verdict.failure).toMatchObject({ type: 'environment', category: 'environment' });
    const both = await rig.verify({
      verify: ['echo "connect ECONNREFUSED 127.0.0.1:5432" >&2; exit 1'],
      stdout: '',
      deliverables: ['gone.md'],
    });
    expect(both.failure).toMatchObject({ type: 'verification-failed', category: 'quality' });
  });

  test('that passed keeps what dependents are given', async () => {
    await rig.write({ 'a.md': 'a', 'b.md': 'b' });
    const contract = { status: 'success' as const, notes: 'n'.repeat(3_000), deliverablesTouched: ['b.md', 'a.md'] };
    const verdict = await rig.verify({ deliverables: ['a.md'], contract, stdout: 'one\ntwo\n' });
    expect(verdict).toMatchObject({ outcome: 'pass', failure: null });
    expect(await rig.result(verdict)).toEqual({
      id: 'draft',
      status: 'success',
      notes: expect.stringMatching(/^n{400,}/) as string,
      deliverables: ['a.md', 'b.md'],
      preview: 'one\ntwo',
      task: 'demo',
      files: await rig.stamp('a.md', 'b.md'),
    });
    expect((await rig.result(verdict)).notes.length).toBeLessThanOrEqual(limits.preview);
  });

  test('that passed in part says so to dependents', async () => {
    const verdict = await rig.verify({ contract: { status: 'partial' }, allowPartial: true });
    expect(await rig.result(verdict)).toMatchObject({ status: 'partial', deliverables: [] });
  });

  test('without its plan is no verdict', async () => {
    const input = await rig.input({});
    const verifySubtask = createVerifySubtask({
      store: rig.store,
      root: rig.home,
      secrets: new EnvironmentSecrets(process.env),
    });
    const run = (given: Partial<VerifyInput>) =>
      new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(verifySubtask, {
        ...input,
        ...given,
      });
    await expect(run({ plan: { sha256: 'ef'.repeat(32), bytes: 1 } })).rejects.toMatchObject({
      type: 'STORE_MISSING',
      nonRetryable: true,
    });
    await expect(run({ subtaskId: 'x' })).rejects.toMatchObject({
      type: 'PLAN_PAGE_WITHOUT_SUBTASK',
      nonRetryable: true,
    });
  });

  test('stays small with hostile names and outputs', async () => {
    const name = `${'\u0001漢'.repeat(60)}.json`;
    const names = Array.from({ length: 40 }, (_, index) => `${index}${name}`);
    await rig.write(Object.fromEntries(names.map((one) => [one, '{ "\u0007" : ' + '漢'.repeat(5_000)])));
    const verdict = await rig.verify({
      deliverables: [...names, ...names.map((one) => `gone-${one}`)],
      requiredSections: names.map((one) => `Section ${one}`),
      rules: [{ pattern: '漢'.repeat(50), in: ['*'], must: 'absent', severity: 'hard' }],
      verify: Array.from({ length: 8 }, () => `printf '\\001\\377${'漢'.repeat(300)}'; exit 1`),
    });
    const { failure, result, ...findings } = verdict;
    expect(bytesOf(findings)).toBeLessThanOrEqual(activityLimits.verdictBytes);
    expect(Buffer.byteLength(JSON.stringify([failure, result]))).toBeLessThanOrEqual(activityLimits.verdictBytes);
    expect(verdict.outcome).toBe('fail');
  });
});
