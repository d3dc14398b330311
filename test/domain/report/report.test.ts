// The figures of a report: each exact, from a task in which everything happens, and from one in which nothing does.
import { expect, test } from 'vitest';
import { buildReport } from '../../../domain/report/report.ts';
import { at, decision, record, status, subtask } from '../../client/cli/shared/support.ts';
import { fullEvents, fullRecords, fullReport, fullStatus } from '../../client/report/fixture.ts';

test('the report has every key of the contract', () => {
  expect(Object.keys(fullReport())).toEqual(
    expect.arrayContaining(
      'id state goal subtasks attempts failuresByType failuresBySignature recoveryByRung cost decisions files records'.split(
        ' ',
      ),
    ),
  );
});

test('subtasks are counted by how they ended', () => {
  expect(fullReport().subtasks).toEqual({
    total: 10,
    completed: 6,
    failed: 2,
    skipped: 2,
    blocked: 1,
    open: 0,
    partial: 1,
    withWarnings: 1,
    unchecked: 0,
    reused: 1,
  });
});

test('attempts are counted, with rates of the subtasks that were tried', () => {
  expect(fullReport().attempts).toEqual({
    total: 11,
    firstTryRate: 3 / 7,
    recovered: 2,
    escalated: 3,
    reruns: 2,
    tried: 7,
    firstTry: 3,
    retried: 3,
    passed: 6,
    unchecked: 0,
    failed: 5,
    cancelled: 0,
    running: 0,
    waits: 2,
    waitMs: 20_000,
  });
});

test('failures are counted by type and by signature, with their subtasks and fixes', () => {
  const report = fullReport();
  expect(report.failuresByType).toEqual({ 'missing-sections': 3, blocked: 1, timeout: 1 });
  expect(report.failuresBySignature).toEqual({
    'missing-sections-1a': {
      count: 3,
      type: 'missing-sections',
      summary: 'The section Pictures is missing',
      subtasks: ['draft', 'images'],
      fixedBy: [
        { rung: 3, strategy: 'stronger', guidedBy: null, subtasks: ['draft'] },
        { rung: 2, strategy: 'guidance', guidedBy: 'ben', subtasks: ['images'] },
      ],
    },
    'blocked-2b': {
      count: 1,
      type: 'blocked',
      summary: 'There is no linter here',
      subtasks: ['lint'],
      fixedBy: [],
    },
    'timeout-3c': {
      count: 1,
      type: 'timeout',
      summary: 'It took longer than 15 s',
      subtasks: ['deploy'],
      fixedBy: [],
    },
  });
});

test('recovery is counted by rung, by signature and by subtask', () => {
  const report = fullReport();
  expect(report.recoveryByRung).toEqual({ 2: 1, 3: 1 });
  expect(report.recoveryBySignature).toEqual({ 'missing-sections-1a': { subtasks: 2, byRung: { 2: 1, 3: 1 } } });
  expect(report.recovered.map(({ id, attempts, rung, usd, tokens }) => [id, attempts, rung, usd, tokens])).toEqual([
    ['draft', 3, 3, 0.7, 7_000],
    ['images', 2, 2, 0.2, 2_000],
  ]);
});

test('cost covers the whole task, with the part of failures, and per recovered subtask', () => {
  expect(fullReport().cost).toEqual({
    usd: 1.45,
    tokens: 14_500,
    unknownAttempts: 0,
    unpricedModels: [],
    usdPerRecovered: 0.45,
    tokensPerRecovered: 4_500,
    failedUsd: 0.5,
    failedTokens: 5_000,
    otherUsd: 0.1,
    otherTokens: 2_000,
  });
});

test('decisions have their answers, people and times, and name answers of a policy or a standing answer', () => {
  expect(
    fullReport().decisions.map(({ id, kind, option, by, at: when, source }) => [id, kind, option, by, when, source]),
  ).toEqual([
    ['plan-1', 'plan', 'approve', 'ana', at(2), 'person'],
    ['lint-1', 'escalation', 'skip', 'ana', at(90), 'person'],
    ['images-1', 'escalation', 'fix', 'ben', at(7_199), 'person'],
    ['budget-costUsd-1', 'budget', 'raise', null, at(130), 'person'],
    ['deploy-1', 'escalation', 'retry', 'the answer of ana for this failure', at(7_250), 'standing'],
    ['deploy-2', 'approval', 'reject', 'policy (deadline passed)', at(7_300), 'policy'],
    ['plan-2', 'plan', null, null, null, null],
  ]);
});

test('a skipped subtask has its reason and its effect on dependents', () => {
  expect(fullReport().skipped).toEqual([
    {
      id: 'lint',
      reason: 'ana chose to continue without it',
      at: at(90),
      impact: { told: ['review'], willBeTold: [], notRun: ['style'] },
    },
    {
      id: 'style',
      reason: 'ana chose to leave out the branch of style',
      at: at(91),
      impact: { told: [], willBeTold: [], notRun: [] },
    },
  ]);
});

test('dependents that have not started are listed as still to be told', () => {
  const view = status({
    subtasks: [subtask('a', { state: 'skipped', endedAt: at(1) }), subtask('b', { dependsOn: ['a'] })],
  });
  expect(buildReport(view, [], []).skipped[0]?.impact).toEqual({ told: [], willBeTold: ['b'], notRun: [] });
});

test('failed, blocked, partial and reused subtasks, reruns, waits and files are named', () => {
  const report = fullReport();
  expect(report.failed).toEqual([{ id: 'deploy', reason: 'nobody accepted the result before the deadline' }]);
  expect(report.blocked).toEqual([
    { id: 'lint', state: 'skipped', reason: 'There is no linter here' },
    { id: 'announce', state: 'blocked', reason: 'it needs deploy, which failed.' },
  ]);
  expect(report.partial).toEqual(['translate']);
  expect(report.reused).toEqual([{ id: 'collect', from: 't0' }]);
  expect(report.reruns).toEqual([{ subtask: 'summary', attempt: 1, count: 2 }]);
  expect(report.waits.map(({ subtask: id, attempt, ms }) => [id, attempt, ms])).toEqual([
    ['translate', 1, 5_000],
    ['translate', 1, 15_000],
  ]);
  expect(report.files).toEqual(['NOTES.md', 'old.md']);
  expect(report.journal.map(({ type }) => type)).toEqual([
    'task.steered',
    'task.paused',
    'task.resumed',
    'budget.warning',
    'budget.exhausted',
    'task.stalled',
    'message.refused',
    'task.cancelling',
    'something.new',
  ]);
  expect(report.records).toBe(fullRecords);
});

test('a subtask that passed its checks and still failed is no success, no recovery, and fixed nothing', () => {
  const report = fullReport();
  expect(report.recovered.map(({ id }) => id)).not.toContain('deploy');
  const once = status({ state: 'failed', subtasks: [subtask('a', { state: 'failed' })] });
  const { attempts, subtasks } = buildReport(once, [record({ subtask: 'a' })], []);
  expect([attempts.firstTry, attempts.firstTryRate, attempts.recovered, subtasks.completed]).toEqual([0, 0, 0, 0]);
});

test('a result that waits for approval, or runs, is counted nowhere yet', () => {
  const view = status({ subtasks: [subtask('a', { state: 'waiting' }), subtask('b', { state: 'running' })] });
  const records = [
    record({ subtask: 'a', outcome: 'failed' }),
    record({ subtask: 'a', attempt: 2 }),
    record({ subtask: 'b', outcome: 'running', endedAt: null }),
  ];
  const { attempts, subtasks } = buildReport(view, records, []);
  expect([attempts.tried, attempts.firstTry, attempts.recovered, subtasks.open]).toEqual([1, 0, 0, 2]);
});

test('lost events only cost information that nothing else has', () => {
  const open = decision({ id: 'deploy-9', openedAt: at(5) });
  const late = fullEvents.filter(({ type }) => type === 'decision.answered');
  const report = buildReport({ ...fullStatus, decisions: [open] }, fullRecords, late);
  expect(report.reused).toEqual([{ id: 'collect', from: null }]);
  expect(report.decisions).toHaveLength(7);
  expect(report.decisions[0]).toMatchObject({ id: 'plan-1', kind: 'unknown', option: 'approve', by: 'ana' });
  expect(report.decisions.at(-1)).toMatchObject({ id: 'deploy-9', kind: 'escalation', option: null });
});

test('a task without events has a report of zeros', () => {
  const report = buildReport(status(), [], []);
  expect(Object.values(report.subtasks)).toEqual(Object.values(report.subtasks).map(() => 0));
  expect(Object.values(report.attempts)).toEqual(Object.values(report.attempts).map(() => 0));
  expect(report.cost).toMatchObject({ usd: 0, tokens: 0, usdPerRecovered: null, tokensPerRecovered: null });
  for (const list of [report.decisions, report.files, report.skipped, report.reused, report.waits, report.records])
    expect(list).toEqual([]);
});

test('an unchecked result is neither a pass nor a first-try success', () => {
  const isSingle = (id: string): boolean => fullRecords.filter(({ subtask: own }) => own === id).length === 1;
  const id = fullRecords.find((one) => one.outcome === 'passed' && isSingle(one.subtask))?.subtask ?? '';
  const asUnchecked = <T extends object>(one: T): T => ({ ...one, verdict: 'unchecked' });
  const subtasks = fullStatus.subtasks.map((one) => (one.id === id ? asUnchecked(one) : one));
  const records = fullRecords.map((one) => (one.subtask === id ? asUnchecked(one) : one));
  const report = buildReport({ ...fullStatus, subtasks }, records, fullEvents);
  expect(report.attempts).toMatchObject({ unchecked: 1, passed: 5, firstTry: 2, tried: 6, firstTryRate: 2 / 6 });
  expect(report.subtasks).toMatchObject({ completed: 6, unchecked: 1 });
  expect(report.unchecked).toEqual([id]);
});
