import type { EventOf, Result, TaskEvent } from '../types/events.ts';
import { countHelped } from '../lessons/lesson-uses.ts';
import { learnFix } from '../memory/learned.ts';
import { getOwn } from '../util/own-property.ts';
import { enterPhase } from './enter-phase.ts';
import { putRecord } from './records.ts';
import { recordOf, rowOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { passedOf, type Phase } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

type EndingEvent = EventOf<'subtask.completed' | 'subtask.failed' | 'subtask.skipped' | 'subtask.blocked'>;

export function endSubtask(state: TaskState, event: EndingEvent, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'subtask.blocked' && event.waits) return;
  enterPhase(state, subtask, event.type, buildEnd(subtask, event, now));
  delete subtask.permit;
  delete subtask.diagnosis;
  delete subtask.checkAnswers;
  // No answer can matter any more, and a result that was not accepted does not count.
  state.decisions.open = state.decisions.open.filter((open) => open.subtask !== event.subtask);
  const record = recordOf(state, event.subtask);
  // A result that was kept although it did not pass explains no failure.
  if (event.type === 'subtask.completed' && record?.outcome === 'passed') {
    if (record.lessons !== undefined)
      state.log.lessons = {
        ...state.log.lessons,
        uses: countHelped(state.log.lessons?.uses ?? {}, record, event.verdict),
      };
    state.log.learned = learnFix(state.log.learned, {
      met: subtask.failureSignatures,
      rung: record.rung,
      guidance: subtask.guidance.at(-1),
      notes: record.notes,
      remembered: record.strategy === 'remembered',
      at: now,
    });
  }
  // Nobody will be told of these any more, and a large plan has many of them.
  subtask.failures = [];
  subtask.guidance = [];
  subtask.failureSignatures = [];
  if (record?.outcome === 'running')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  state.queue.unfinished -= 1;
  if (!rowOf(state, event.subtask).synthesis) state.queue.unfinishedNormal -= 1;
  if (event.type === 'subtask.completed' || event.type === 'subtask.skipped')
    freeDependents(state, event.subtask, event.type);
}

function buildEnd(subtask: SubtaskState, event: EndingEvent, endedAt: number): Phase {
  switch (event.type) {
    case 'subtask.completed': {
      const { verdict } = event;
      return { name: 'completed', passed: { verdict, result: findResult(subtask, event) }, endedAt };
    }
    case 'subtask.failed':
      return { name: 'failed', reason: event.reason, endedAt };
    case 'subtask.skipped':
      return { name: 'skipped', reason: event.reason, endedAt };
    case 'subtask.blocked':
      return { name: 'blocked', reason: event.reason, endedAt };
  }
}

function findResult(subtask: SubtaskState, { verdict, reused }: EventOf<'subtask.completed'>): Result {
  if (reused !== undefined)
    return { status: verdict === 'partial-verified' ? 'partial' : 'success', ref: reused.result };
  const passed = passedOf(subtask);
  if (passed === undefined) throw new Error(`${subtask.id} has no result`);
  return passed.result;
}

function freeDependents(state: TaskState, id: string, event: TaskEvent['type']): void {
  for (const dependent of getOwn(state.plan.dependents, id) ?? []) {
    const subtask = subtaskOf(state, dependent);
    subtask.waitsFor -= 1;
    if (subtask.waitsFor === 0 && subtask.phase.name === 'waiting')
      enterPhase(state, subtask, event, { name: 'ready' });
  }
}
