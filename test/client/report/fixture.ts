import type { AnswerSource, OptionId } from '../../../domain/types/decision.ts';
import type { EventFacts, LoggedEvent, ShownEventType } from '../../../domain/types/events.ts';
import { buildReport } from '../../../domain/report/report.ts';
import { at, decision, record, status, subtask, type GivenDecision } from '../cli/shared/support.ts';

/** Text that tries to be HTML, Markdown and an order to whoever shows it. */
export const hostile =
  '</td><script>alert(1)</script> | *a* `b` <img src=x onerror="x()">\n| c | \u202egnp.exe\u001b[31m';

const event = <Type extends ShownEventType>(
  type: Type,
  seconds: number,
  given: Partial<EventFacts[Type]> = {},
): LoggedEvent => ({ id: 0, time: at(seconds), type, text: `${type} happened`, ...given }) as LoggedEvent;

/** A task in which everything happens that a report knows of. */
export const fullStatus = status({
  state: 'failed',
  goal: 'Publish the release notes of version 4',
  summary: 'deploy failed; announce could not run',
  endedAt: at(7_320),
  budget: {
    costUsd: { used: 1.45, limit: 2.5 },
    tokens: { used: 14_500, limit: null },
    wallClock: { used: 7_320_000, limit: 10_800_000 },
  },
  subtasks: [
    subtask('collect', { state: 'completed', verdict: 'pass', startedAt: at(0), endedAt: at(0) }),
    subtask('draft', {
      state: 'completed',
      verdict: 'pass',
      attempts: 3,
      rung: 3,
      tier: 2,
      startedAt: at(2),
      endedAt: at(75),
      dependsOn: ['collect'],
    }),
    subtask('summary', { state: 'completed', verdict: 'pass', attempts: 1, startedAt: at(2), endedAt: at(22) }),
    subtask('translate', {
      state: 'completed',
      verdict: 'partial-verified',
      attempts: 1,
      startedAt: at(76),
      endedAt: at(130),
      dependsOn: ['draft'],
    }),
    subtask('images', {
      state: 'completed',
      verdict: 'pass-with-warnings',
      attempts: 2,
      rung: 2,
      startedAt: at(76),
      endedAt: at(7_232),
      dependsOn: ['draft'],
    }),
    subtask('lint', {
      state: 'skipped',
      reason: 'ana chose to continue without it',
      startedAt: at(76),
      endedAt: at(90),
    }),
    subtask('style', {
      state: 'skipped',
      reason: 'ana chose to leave out the branch of style',
      endedAt: at(91),
      dependsOn: ['lint'],
    }),
    subtask('review', {
      state: 'completed',
      verdict: 'pass',
      attempts: 1,
      startedAt: at(95),
      endedAt: at(140),
      dependsOn: ['lint', 'draft'],
    }),
    subtask('deploy', {
      state: 'failed',
      attempts: 2,
      rung: 2,
      reason: 'nobody accepted the result before the deadline',
      startedAt: at(7_233),
      endedAt: at(7_300),
      dependsOn: ['review'],
    }),
    subtask('announce', {
      state: 'blocked',
      reason: 'it needs deploy, which failed.',
      endedAt: at(7_300),
      dependsOn: ['deploy'],
    }),
  ],
  lastEventId: 40,
});

const missing = { type: 'missing-sections', category: 'quality', signature: 'missing-sections-1a' } as const;

export const fullRecords = [
  record({
    startedAt: at(2),
    endedAt: at(20),
    outcome: 'failed',
    ...missing,
    summary: 'The section Upgrade is missing',
    costUsd: 0.1,
    tokens: 1_000,
    filesAffected: [{ path: 'NOTES.md', state: 'created', lines: 3 }],
  }),
  record({ subtask: 'summary', startedAt: at(2), endedAt: at(22), costUsd: 0.05, tokens: 500, reruns: 2 }),
  record({
    attempt: 2,
    rung: 2,
    startedAt: at(20),
    endedAt: at(45),
    outcome: 'failed',
    ...missing,
    summary: 'The section Changes is missing',
    strategy: 'feedback',
    costUsd: 0.2,
    tokens: 2_000,
  }),
  record({
    attempt: 3,
    rung: 3,
    tier: 2,
    strategy: 'stronger',
    startedAt: at(45),
    endedAt: at(75),
    costUsd: 0.4,
    tokens: 4_000,
    filesAffected: [
      { path: 'NOTES.md', state: 'modified', lines: 30 },
      { path: 'old.md', state: 'deleted', lines: 0 },
      { path: 'same.md', state: 'unchanged', lines: 1 },
    ],
  }),
  record({
    subtask: 'translate',
    startedAt: at(76),
    endedAt: at(130),
    verdict: 'partial-verified',
    waits: [
      { at: at(80), ms: 5_000, reason: 'The registry does not answer' },
      { at: at(90), ms: 15_000, reason: 'The registry does not answer' },
    ],
    costUsd: 0.1,
  }),
  record({
    subtask: 'images',
    startedAt: at(76),
    endedAt: at(100),
    outcome: 'failed',
    ...missing,
    summary: 'The section Pictures is missing',
    costUsd: 0.1,
    tokens: 1_000,
  }),
  record({
    subtask: 'lint',
    startedAt: at(76),
    endedAt: at(82),
    outcome: 'failed',
    type: 'blocked',
    category: 'blocked',
    signature: 'blocked-2b',
    summary: 'There is no linter here',
  }),
  record({ subtask: 'review', startedAt: at(95), endedAt: at(140), costUsd: 0.1, tokens: 1_000 }),
  record({
    subtask: 'images',
    attempt: 2,
    rung: 2,
    strategy: 'guidance',
    startedAt: at(7_200),
    endedAt: at(7_232),
    verdict: 'pass-with-warnings',
    costUsd: 0.1,
    tokens: 1_000,
  }),
  record({
    subtask: 'deploy',
    startedAt: at(7_233),
    endedAt: at(7_250),
    outcome: 'failed',
    type: 'timeout',
    category: 'quality',
    signature: 'timeout-3c',
    summary: 'It took longer than 15 s',
    costUsd: 0.1,
    tokens: 1_000,
  }),
  // Passed its checks, and was not accepted: no success.
  record({
    subtask: 'deploy',
    attempt: 2,
    rung: 2,
    strategy: 'feedback',
    startedAt: at(7_251),
    endedAt: at(7_280),
    costUsd: 0.1,
    tokens: 1_000,
  }),
];

const asked = (seconds: number, given: GivenDecision): LoggedEvent =>
  event('decision.opened', seconds, { decision: decision({ openedAt: at(seconds), ...given }) });

const answered = (
  seconds: number,
  decisionId: string,
  option: OptionId,
  by: string | null,
  source: AnswerSource = 'person',
): LoggedEvent => event('decision.answered', seconds, { decisionId, option, by, source });

/** Every kind of event there is; those that only repeat what the records say once each. */
export const fullEvents: LoggedEvent[] = [
  event('task.started', 0),
  event('plan.ready', 0, { subtasks: 10 }),
  event('subtask.completed', 0, { subtask: 'collect', verdict: 'pass', reused: 't0' }),
  asked(0, { id: 'plan-1', kind: 'plan', subtask: null, problem: 'The plan has 10 subtasks.' }),
  answered(2, 'plan-1', 'approve', 'ana'),
  event('subtask.started', 2, { subtask: 'draft' }),
  event('attempt.started', 2, { subtask: 'draft', attempt: 1 }),
  event('attempt.rerun', 10, { subtask: 'summary', attempt: 1, reason: 'crash', reruns: 2 }),
  event('verdict', 20, { subtask: 'draft', attempt: 1, outcome: 'fail' }),
  event('attempt.failed', 20, { subtask: 'draft', attempt: 1 }),
  event('attempt.passed', 75, { subtask: 'draft', attempt: 3 }),
  event('subtask.completed', 75, { subtask: 'draft', verdict: 'pass' }),
  event('attempt.suspended', 80, {
    subtask: 'translate',
    attempt: 1,
    why: 'environment',
    phase: 'execute',
    waitMs: 5_000,
  }),
  event('subtask.blocked', 82, { subtask: 'lint', reason: 'There is no linter here', independent: 3 }),
  asked(82, { id: 'lint-1', subtask: 'lint', problem: 'lint is blocked: there is no linter here.' }),
  answered(90, 'lint-1', 'skip', 'ana'),
  event('subtask.skipped', 90, { subtask: 'lint', reason: 'ana chose to continue without it' }),
  asked(100, { id: 'images-1', subtask: 'images', problem: 'images lacks a section.' }),
  event('task.steered', 101, { instruction: 'Use short sentences' }),
  event('task.paused', 102, { reason: 'lunch', by: 'person' }),
  event('task.resumed', 103),
  event('budget.warning', 109, { key: 'costUsd' }),
  event('budget.exhausted', 110, { key: 'costUsd' }),
  asked(110, { id: 'budget-costUsd-1', kind: 'budget', subtask: null, problem: 'The budget for cost is used up.' }),
  answered(130, 'budget-costUsd-1', 'raise', null),
  event('task.stalled', 131, { reasons: [] }),
  event('message.refused', 132, { message: 'decide' }),
  answered(7_199, 'images-1', 'fix', 'ben'),
  asked(7_250, { id: 'deploy-1', subtask: 'deploy', problem: 'deploy took too long.' }),
  answered(7_250, 'deploy-1', 'retry', 'the answer of ana for this failure', 'standing'),
  asked(7_280, { id: 'deploy-2', kind: 'approval', subtask: 'deploy', onTimeout: 'deny', deadline: at(7_300) }),
  answered(7_300, 'deploy-2', 'reject', 'policy (deadline passed)', 'policy'),
  event('subtask.failed', 7_300, { subtask: 'deploy', reason: 'nobody accepted it' }),
  event('subtask.blocked', 7_300, { subtask: 'announce', reason: 'it needs deploy, which failed.', independent: 0 }),
  asked(7_301, { id: 'plan-2', kind: 'plan', problem: 'What now?' }),
  event('task.cancelling', 7_310, { reason: 'x' }),
  event('task.ended', 7_320, { state: 'failed' }),
  // Fields of a later version: a report of an older one leaves it out.
  event('something.new' as ShownEventType, 7_320),
].map((each, index) => ({ ...each, id: index + 1 }));

export const fullReport = () => buildReport(fullStatus, fullRecords, fullEvents);
