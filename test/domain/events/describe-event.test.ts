import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TaskEvent } from '../../../domain/types/events.ts';
import { firstClimb } from '../../../domain/recovery/ladder.ts';
import type { Strategy } from '../../../domain/types/ladder.ts';
import { nothingUsed } from '../../../domain/llm/usage.ts';
import { describeEvent } from '../../../domain/events/describe-event.ts';
import {
  escalationOf,
  failedRecord,
  failureOf,
  finishedOf,
  planOf,
  recordFor,
  refOf,
  t0,
  settings,
  subtask,
} from '../support-task.ts';

/* One plain sentence for everything that happens. */

const failure = failureOf({ summary: 'Tests failed on a missing import.' });
const owed = { subtask: 'draft', item: 'rem-1', targets: ['the price'], attempts: 2 };

const record = failedRecord('draft', failure);
const climb = (strategy: Strategy) => ({ kind: 'climb' as const, climb: firstClimb(8), strategy });

const failed = (
  next: Extract<TaskEvent, { type: 'attempt.failed' }>['next'],
  waitMs = 0,
  summary = failure.summary,
): Extract<TaskEvent, { type: 'attempt.failed' }> => ({
  type: 'attempt.failed',
  subtask: 'draft',
  attempt: 1,
  record,
  failure: { ...failure, summary },
  next,
  waitMs,
});

const suspended = (given: Partial<Extract<TaskEvent, { type: 'attempt.suspended' }>>): TaskEvent => ({
  type: 'attempt.suspended',
  subtask: 'draft',
  attempt: 2,
  why: 'environment',
  reason: '',
  waitMs: null,
  resumeFrom: { phase: 'execute', checkpoint: null },
  ...given,
});

const rows: [TaskEvent, string][] = [
  [{ type: 'task.started', goal: 'Publish\nthe release' }, 'Started: Publish the release'],
  [
    { type: 'plan.ready', settings: settings(), plan: planOf([subtask('a')]) },
    'The plan has 1 subtask; at most 5 run at once.',
  ],
  [{ type: 'subtask.started', subtask: 'draft' }, 'draft starts.'],
  [{ type: 'attempt.started', subtask: 'draft', record: recordFor('draft') }, 'Attempt 1 of draft (tier 1).'],
  [
    {
      type: 'attempt.started',
      subtask: 'draft',
      record: recordFor('draft', { attempt: 4, rung: 4, tier: 3, thinking: true }),
    },
    'Attempt 4 of draft with what was learned (rung 4, tier 3, thinking).',
  ],
  [
    { type: 'attempt.rerun', subtask: 'draft', attempt: 2, reruns: 1 },
    'A crash interrupted attempt 2 of draft; the same attempt was run again with the same key.',
  ],
  [suspended({ reason: 'The disk is full.', waitMs: 15_000 }), 'draft: The disk is full; attempt 2 continues in 15 s.'],
  [
    suspended({ reason: 'The disk is full.', waitMs: 15_000, resumeFrom: { phase: 'verify', finished: finishedOf() } }),
    'draft: The disk is full; the check of attempt 2 continues in 15 s.',
  ],
  [suspended({ why: 'question', reason: 'which channel?' }), 'draft: which channel? Attempt 2 waits.'],
  [
    { type: 'attempt.resumed', subtask: 'draft', attempt: 2, why: 'environment' },
    'Attempt 2 of draft is resumed after a wait for the environment.',
  ],
  [{ type: 'verdict', subtask: 'draft', attempt: 1, outcome: 'pass', issues: '' }, 'The checks of draft passed.'],
  [
    { type: 'verdict', subtask: 'draft', attempt: 1, outcome: 'fail', issues: 'NOTES.md is missing.' },
    'The checks of draft found: NOTES.md is missing.',
  ],
  [
    { type: 'attempt.passed', subtask: 'draft', attempt: 2, record, result: { status: 'success', ref: refOf(1) } },
    'Attempt 2 of draft passed.',
  ],
  [failed(climb('feedback')), 'draft: Tests failed on a missing import; trying again with this feedback.'],
  [failed(climb('stronger')), 'draft: Tests failed on a missing import; trying again with a stronger model.'],
  [
    { ...failed(climb('stronger')), sameModel: true },
    'draft: Tests failed on a missing import; trying again with a fresh start.',
  ],
  [
    { ...failed(climb('strongest')), sameModel: true },
    'draft: Tests failed on a missing import; trying again with more thinking.',
  ],
  [
    failed(climb('feedback'), 0, 'It exited with code 1: go test ./...'),
    'draft: It exited with code 1: go test ./...; trying again with this feedback.',
  ],
  [
    failed(climb('strongest'), 1_500),
    'draft: Tests failed on a missing import; trying again with the strongest model and more thinking in 1.5 s.',
  ],
  [{ ...failed(climb('stronger')), nextTier: 2 }, 'draft: Tests failed on a missing import; trying again at tier 2.'],
  [
    { ...failed(climb('strongest'), 1_500), nextTier: 3 },
    'draft: Tests failed on a missing import; trying again at tier 3 in 1.5 s.',
  ],
  [
    { ...failed(climb('feedback')), nextTier: 1 },
    'draft: Tests failed on a missing import; trying again with this feedback.',
  ],
  [
    { type: 'verdict', subtask: 'draft', attempt: 1, outcome: 'unchecked', issues: '' },
    'Nothing checked the result of draft.',
  ],
  [{ type: 'subtask.completed', subtask: 'draft', verdict: 'unchecked' }, 'draft is completed (unchecked).'],
  [
    failed(climb('remembered')),
    'draft: Tests failed on a missing import; trying again in the way that fixed it before.',
  ],
  [failed({ kind: 'person', because: 'ladder' }), 'draft: Tests failed on a missing import; a person is needed.'],
  [failed({ kind: 'person', because: 'ladder' }, 0, 'Which channel?'), 'draft: Which channel? A person is needed.'],
  [failed({ kind: 'fail', because: 'ladder' }), 'draft: Tests failed on a missing import; no rung is left.'],
  [failed({ kind: 'stopped' }), 'draft: Tests failed on a missing import; the task is stopping.'],
  [{ type: 'subtask.completed', subtask: 'draft', verdict: 'pass' }, 'draft is completed.'],
  [
    { type: 'subtask.requeued', subtask: 'draft', task: 'notes', reason: 'The check fails.' },
    'draft of the task notes is not reused: The check fails.',
  ],
  [
    { type: 'subtask.completed', subtask: 'draft', verdict: 'partial-verified' },
    'draft is completed (partial-verified).',
  ],
  [{ type: 'subtask.failed', subtask: 'draft', reason: 'it broke' }, 'draft failed: it broke'],
  [{ type: 'subtask.skipped', subtask: 'draft', reason: 'ana said so' }, 'draft is skipped: ana said so'],
  [
    { type: 'subtask.blocked', subtask: 'b', reason: 'it needs a, which failed.', independent: 2, waits: false },
    'b is blocked: it needs a, which failed. 2 other subtasks can continue.',
  ],
  [
    { type: 'subtask.blocked', subtask: 'b', reason: 'there is no channel', independent: 1, waits: true },
    'b is blocked: there is no channel. 1 other subtask can continue.',
  ],
  [
    { type: 'subtask.blocked', subtask: 'b', reason: 'which channel?', independent: 0, waits: true },
    'b is blocked: which channel? Nothing else can continue.',
  ],
  [{ type: 'decision.opened', decision: escalationOf() }, 'a does not succeed.'],
  [
    {
      type: 'decision.answered',
      answer: { decisionId: 'a-1', option: 'retry', by: 'ana' },
      source: 'person',
      updateId: null,
    },
    'ana answered a-1: retry.',
  ],
  [
    {
      type: 'decision.phrased',
      decisionId: 'draft-1',
      subtask: 'draft',
      problem: 'The pump has no power.',
      used: { costUsd: 0, tokens: 2, modelCalls: 1 },
      models: [],
    },
    'The pump has no power.',
  ],
  [
    { type: 'plan.degraded', reasons: ['The answer is empty.', 'x'], checked: false },
    'No plan could be made: The answer is empty; x. The goal is one subtask without checks.',
  ],
  [{ type: 'task.steered', text: 'be\nbrief', subtask: 'draft' }, 'New instruction for draft: be brief'],
  [{ type: 'task.paused', reason: 'freeze', by: 'person' }, 'Paused: freeze'],
  [{ type: 'task.resumed' }, 'Resumed.'],
  [{ type: 'task.stalled', reasons: ['a waits for b'] }, 'Nothing can continue: a waits for b'],
  [{ type: 'budget.warning', key: 'costUsd', used: 8, limit: 10 }, 'Most of the budget for cost is used.'],
  [{ type: 'budget.exhausted', key: 'wallClock', used: 10, limit: 10 }, 'All of the budget for time is used.'],
  [
    { type: 'message.refused', message: 'decide', reason: 'there is no decision x' },
    'A decide signal was refused: there is no decision x',
  ],
  [
    {
      type: 'tool.refused',
      subtask: 'draft',
      attempt: 1,
      tool: 'write_file',
      why: 'the path is outside of the workspace',
    },
    'A call of write_file by draft was refused: the path is outside of the workspace',
  ],
  [
    {
      type: 'repository.changed',
      subtask: 'draft',
      attempt: 1,
      path: 'vendor/.git',
      state: 'created',
      removed: ['core.fsmonitor', 'hooks/pre-commit'],
    },
    'draft made the repository vendor/.git. Removed from it, since git would run it for you: core.fsmonitor, hooks/pre-commit.',
  ],
  [
    { type: 'repository.changed', subtask: 'draft', attempt: 1, path: '.git', state: 'changed', removed: [] },
    'draft changed the settings of the repository .git.',
  ],
  [
    { type: 'repository.changed', subtask: 'draft', attempt: 1, path: '.', state: 'unsearched', removed: [] },
    'The workspace has more folders than are searched for repositories that draft makes or changes. Look for new ones before you use git there.',
  ],
  [{ type: 'task.cancelling', reason: 'ana stopped it' }, 'Stopping: ana stopped it'],
  [
    { type: 'task.cancel-forced', running: ['a', 'b'], waitedMs: 30_000 },
    'The task ends without a and b, which did not stop within 30 s.',
  ],
  [{ type: 'task.ended', state: 'completed', reason: '3 subtasks done' }, 'The task is completed: 3 subtasks done'],
  [{ type: 'task.ended', state: 'cancelled', reason: 'ana stopped it' }, 'The task was cancelled: ana stopped it'],
  [
    {
      type: 'plan.replaced',
      plan: { ...planOf([subtask('a')]), version: 2 },
      changes: { reason: 'It is\nsmaller.', added: ['b'], retargeted: ['c'], superseded: [{ id: 'd', reason: 'no' }] },
    },
    'Version 2 of the plan: new: b; changed: c; superseded: d. It is smaller.',
  ],
  [
    { type: 'plan.suspended', reason: 'The provider a cannot be reached', waitMs: 275_000, nth: 4, most: 5 },
    'Retrying in 4 min 35 s (wait 4 of 5): the provider a cannot be reached.',
  ],
  [{ type: 'plan.resumed' }, 'The model that plans is asked again.'],
  [
    {
      ...{ type: 'lesson.learned', subtask: 'draft', used: nothingUsed, models: [] },
      lessons: [{ id: 'l-0123456789', text: 'Write a heading.', from: { task: 't', subtask: 'draft' }, at: 1 }],
    },
    'Learned 1 lesson from draft: Write a heading.',
  ],
  [{ type: 'replan.failed', reason: 'nobody can plan.' }, 'No new plan: nobody can plan; the current one stays.'],
  [
    { type: 'outcome.stale', subtask: 'draft', attempt: 2, version: 1, files: [] },
    'Attempt 2 of draft was started by version 1 of the plan; its result is dropped, its cost counts.',
  ],
  [
    {
      type: 'remediation.queued',
      subtask: 'draft',
      item: {
        ...{ id: 'rem-1', strategy: 'follow-up', reasons: ['evidence-gap'], targets: ['the price', 'the date'] },
        ...{ blocking: false, attempts: 0, max: 3, queuedAt: t0, expiresAt: null },
        result: { status: 'partial', ref: refOf(3) },
      },
      released: true,
      dueInMs: 2_000,
      expiresAt: t0,
    },
    'draft owes evidence for "the price" and "the date"; it is looked for in 2 s. Its result is used meanwhile.',
  ],
  [{ type: 'remediation.done', ...owed, how: 'confirmed' }, 'The evidence is found in draft after 2 attempts.'],
  [
    { type: 'remediation.done', ...owed, how: 'pruned' },
    'Claims without evidence are taken out in draft after 2 attempts.',
  ],
  [
    { type: 'remediation.failed', ...owed, reason: 'no source names it.' },
    'draft still owes evidence for "the price" after 2 attempts: no source names it.',
  ],
  [
    { type: 'remediation.expired', ...owed, reason: 'the time for it is over' },
    'draft still owes evidence for "the price": the time for it is over.',
  ],
  [{ type: 'remediation.waived', ...owed, by: 'ana' }, 'ana goes on without evidence for "the price" in draft.'],
  [
    { type: 'remediation.dropped', ...owed, reason: 'the task was cancelled' },
    'Evidence for "the price" in draft is not looked for any more: the task was cancelled.',
  ],
];

/** A key for each type, so that a new type of event is missed here by the compiler; false: it is told by what it belongs to. */
const types: Record<TaskEvent['type'], boolean> = {
  'plan.degraded': true,
  'plan.rejected': false,
  'settings.ready': false,
  'planner.used': false,
  'attempt.suspended': true,
  'stale.end-planned': false,
  'replan.asked': false,
  'replan.started': false,
  'replan.declined': false,
  'plan.suspended': true,
  'plan.resumed': true,
  'replan.failed': true,
  'plan.normalised': false,
  'plan.replaced': true,
  'outcome.stale': true,
  'attempt.used': false,
  'attempt.judging': false,
  'attempt.diagnosing': false,
  'attempt.diagnosed': false,
  'decision.phrasing': false,
  'decision.phrased': true,
  'lesson.extracting': false,
  'lesson.learned': true,
  'attempt.cancelled': false,
  'attempt.answered': false,
  'program.permitted': false,
  'check.decided': false,
  'tool.refused': true,
  'repository.changed': true,
  'attempt.rejected': false,
  'subtask.retried': false,
  'evidence.taken': false,
  'attempt.reverted': false,
  'remediation.queued': true,
  'remediation.done': true,
  'remediation.failed': true,
  'remediation.expired': true,
  'remediation.waived': true,
  'remediation.dropped': true,
  'remediation.parked': false,
  'remediation.last': false,
  'budget.raised': false,
  'task.finishing': false,
  'task.started': true,
  'plan.ready': true,
  'subtask.started': true,
  'attempt.started': true,
  'attempt.resumed': true,
  'attempt.rerun': true,
  verdict: true,
  'attempt.passed': true,
  'attempt.failed': true,
  'subtask.completed': true,
  'subtask.requeued': true,
  'subtask.failed': true,
  'subtask.blocked': true,
  'subtask.skipped': true,
  'decision.opened': true,
  'decision.answered': true,
  'task.steered': true,
  'task.paused': true,
  'task.resumed': true,
  'task.stalled': true,
  'budget.warning': true,
  'budget.exhausted': true,
  'message.refused': true,
  'task.cancelling': true,
  'task.cancel-forced': true,
  'task.ended': true,
};

describe('describeEvent', () => {
  test.each(rows.map(([event, text]) => [event.type, text, event] as const))('%s: %s', (type, text, event) => {
    expect(describeEvent(event)).toMatchObject({ type, text });
  });

  test('has a sentence for every type but the silent ones', () => {
    const shownTypes = new Set<string>(rows.map(([event]) => event.type));
    for (const [type, isShown] of Object.entries(types)) expect([type, shownTypes.has(type)]).toEqual([type, isShown]);
    expect(describeEvent({ type: 'subtask.retried', subtask: 'draft', guidance: '' })).toBeNull();
  });

  test('says what each event is about, for programs', () => {
    expect(describeEvent(failed(climb('stronger')))).toMatchObject({
      subtask: 'draft',
      attempt: 1,
      failure: { type: failure.type, category: failure.category, signature: failure.signature },
    });
    expect(describeEvent(rows[3]![0])).toMatchObject({
      attempt: 1,
      rung: 1,
      tier: 1,
      thinking: false,
      strategy: 'first',
    });
    expect(describeEvent({ type: 'decision.opened', decision: escalationOf() })).toMatchObject({
      subtask: 'a',
      decision: { id: 'a-1' },
    });
    const ended: TaskEvent = { type: 'task.ended', state: 'failed', reason: 'no', code: 'PLAN_CYCLE' };
    expect(describeEvent(ended)).toMatchObject({ state: 'failed', code: 'PLAN_CYCLE' });
  });

  test('is one line of bounded length, whatever was said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }), (text) => {
        const events: TaskEvent[] = [
          { type: 'task.started', goal: text },
          { type: 'task.paused', reason: text, by: 'person' },
          { type: 'task.steered', text },
          { type: 'task.cancelling', reason: text },
          { type: 'task.stalled', reasons: [text, text] },
          { type: 'message.refused', message: 'decide', reason: text },
          { type: 'subtask.skipped', subtask: 'a', reason: text },
          { type: 'verdict', subtask: 'a', attempt: 1, outcome: 'fail', issues: text },
          { type: 'decision.opened', decision: escalationOf({ problem: text }) },
          {
            type: 'decision.answered',
            answer: { decisionId: 'a-1', option: 'retry', by: text },
            source: 'person',
            updateId: null,
          },
        ];
        for (const event of events) {
          const shownText = describeEvent(event)?.text ?? '';
          expect(shownText).not.toMatch(/[\u0000-\u001f]/);
          expect(shownText.length).toBeLessThanOrEqual(600);
        }
      }),
    );
  });
});
