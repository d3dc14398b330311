import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GateApproval } from '../../../domain/types/decision.ts';
import { taskStatus } from '../../../domain/schedule/schedule.ts';
import { rowsOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { hasEnded } from '../../../domain/types/subtask.ts';
import { t0 } from '../support-task.ts';
import { anyTask, Carrier, play } from './support-model.ts';
import { isSame, must } from './support-witness.ts';

/* Whole tasks by chance (`support-model.ts`): whatever happens, they end by the rules. */

const fuzzRuns = process.env['HEDDLE_FUZZ_RUNS'];
const runs = Number(fuzzRuns ?? 2_500);
/** Each of well under a minute. */
const parts = fuzzRuns === undefined ? [1, 2] : [1];
/** On a busy machine the usual number of runs is cut short; a number that was asked for is not. */
const longest = 50_000;

function checkEnd(state: TaskState): void {
  const statuses = rowsOf(state).map(({ id }) => statusOf(subtaskOf(state, id)));
  must(statuses.every(hasEnded), () => `ended with ${statuses.join(', ')}`);
  const well = statuses.every((status) => status === 'completed' || status === 'skipped');
  const stopped =
    state.control.cancelling === null ? undefined : state.control.stopCode === undefined ? 'cancelled' : 'failed';
  must(state.control.ended?.state === (stopped ?? (well ? 'completed' : 'failed')), () => 'wrong end');
  must(taskStatus(state, t0) === state.control.ended?.state, () => 'the status is not the end');
  must(
    state.queue.running.length + state.queue.ready.length + state.queue.delayed.length === 0,
    () => 'something is left in the queues',
  );
  must(state.decisions.open.length === 0, () => 'a question is left open');
  must(
    state.log.events.every(({ id }, index) => id === index + 1),
    () => 'the events are not numbered one by one',
  );
  must(
    state.log.records.every(({ outcome }) => outcome !== 'running'),
    () => 'an attempt still runs',
  );
}

const askedAbout = ({ check, call }: GateApproval): string =>
  check === true ? 'check' : call === null ? 'program' : 'call';

/** How gates of calls, of programs and of checks were answered, and by whom. */
function gateAnswers({ log: { events } }: TaskState): string[] {
  const asked = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type === 'decision.opened' && event.decision.kind === 'approval' && event.decision.action !== undefined)
      asked.set(event.decision.id, askedAbout(event.decision));
    if (event.type !== 'decision.answered') return [];
    return [`source ${event.source}`, `${asked.get(event.decisionId) ?? 'other'} ${event.option}`];
  });
}

describe('any task', () => {
  test.each(parts)(
    `reaches a true end by the rules, the same way when its state travels to a new run (${runs / parts.length} tasks, part %i)`,
    () => {
      fc.assert(
        fc.property(anyTask, (given) => {
          const ended = play(given);
          checkEnd(ended);
          const carrier = new Carrier();
          const carried = carrier.whole(play(given, carrier));
          must(isSame(carried, new Carrier().whole(ended)), () => 'another course after continue-as-new');
        }),
        // A course of 250 steps takes minutes to shrink: the seed is told at once, and `path` with it shrinks by hand.
        {
          numRuns: Math.ceil(runs / parts.length),
          endOnFailure: true,
          plugins: fuzzRuns === undefined ? [fc.interruptAfterTimeLimit(longest)] : [],
        },
      );
    },
    fuzzRuns === undefined ? 2 * longest : 3_600_000,
  );

  test('is of every kind: the model reaches each end, each answer and each failure', () => {
    const seen = new Set<string>();
    for (const given of fc.sample(anyTask, { numRuns: 600, seed: 7 })) {
      const state = play(given);
      seen.add(`end ${state.control.ended?.state ?? ''}`);
      for (const { option } of Object.values(state.decisions.answered)) seen.add(option);
      for (const { failure } of state.log.records) if (failure !== null) seen.add(failure.type);
      seen.add(state.control.ended?.code ?? '');
      for (const what of gateAnswers(state)) seen.add(what);
      if (Object.values(state.subtasks).some(({ remedy }) => remedy?.last === true)) seen.add('last try');
      for (const event of state.log.events)
        seen.add(event.type).add(event.type === 'attempt.resumed' ? `why ${event.why}` : event.type);
      for (const event of state.log.events) {
        if (event.type === 'attempt.suspended') seen.add(`suspended ${event.phase} ${event.why}`);
        if (event.type === 'verdict') seen.add(`verdict ${event.outcome}`);
        if (event.type === 'plan.replaced')
          for (const how of ['added', 'retargeted', 'superseded'] as const)
            if (event[how].length > 0) seen.add(`plan ${how}`);
      }
    }
    const expected = [
      ...['end completed', 'end failed', 'end cancelled'],
      ...['retry', 'fix', 'simpler', 'provide-credentials', 'skip', 'skip-branch', 'abort'],
      ...['approve', 'edit', 'reject', 'raise', 'finish', 'stop'],
      ...['answer', 'decline', 'option-1', 'option-2', 'happened', 'did-not-happen'],
      ...[
        'why approval',
        'source standing',
        'source policy',
        'program edit',
        'program approve',
        'call edit',
        'call reject',
        'check approve',
        'check edit',
        'check reject',
      ],
      ...[
        'replan',
        'plan added',
        'plan retargeted',
        'plan superseded',
        'outcome.stale',
        'replan.failed',
        'plan.suspended',
      ],
      ...[
        'BUDGET_EXHAUSTED',
        'CRITICAL_FAILED',
        'why question',
        'why unknown-effect',
        'why budget',
        'why wait',
        'why pause',
      ],
      ...[
        'REMEDIATION_UNRESOLVED',
        'remediation.queued',
        'remediation.done',
        'remediation.failed',
        'remediation.expired',
        'remediation.waived',
        'remediation.dropped',
        'last try',
      ],
      ...['tool-failed', 'timeout', 'environment', 'auth', 'blocked', 'overloaded', 'evidence-gap'],
      ...[
        'suspended judge budget',
        'suspended judge environment',
        'verdict inconclusive',
        'verdict fail',
        'verdict unchecked',
      ],
      ...[
        'subtask.blocked',
        'attempt.suspended',
        'attempt.resumed',
        'task.paused',
        'task.resumed',
        'budget.exhausted',
        'task.cancelling',
      ],
    ];
    expect(expected.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
