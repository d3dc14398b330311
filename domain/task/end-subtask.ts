import type { TaskEvent } from '../types/events.ts';
import { learnFix } from '../memory/learned.ts';
import { getOwn } from '../util/own-property.ts';
import { removeWaiting, leaveSlot } from './queues.ts';
import { putRecord } from './records.ts';
import { recordOf, rowOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { hasEnded, type SubtaskStatus } from '../types/subtask.ts';

type EndingEvent = Extract<
  TaskEvent,
  { type: 'subtask.completed' | 'subtask.failed' | 'subtask.skipped' | 'subtask.blocked' }
>;

const endings: Record<EndingEvent['type'], SubtaskStatus> = {
  'subtask.completed': 'completed',
  'subtask.failed': 'failed',
  'subtask.skipped': 'skipped',
  'subtask.blocked': 'blocked',
};

export function endSubtask(state: TaskState, event: EndingEvent, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'subtask.blocked' && event.waits) return;
  if (hasEnded(subtask.status)) throw new Error(`${event.subtask} has already ended as ${subtask.status}`);
  subtask.status = endings[event.type];
  subtask.endedAt = now;
  subtask.decision = null;
  subtask.suspended = null;
  delete subtask.grant;
  delete subtask.resume;
  delete subtask.permit;
  delete subtask.stale;
  delete subtask.diagnosis;
  delete subtask.checks;
  // Nobody's answer can matter any more, and a result that was not accepted is none.
  state.decisions.open = state.decisions.open.filter((open) => open.subtask !== event.subtask);
  if (event.type !== 'subtask.completed') {
    subtask.reason = event.reason;
    subtask.result = null;
  } else if (event.reused !== undefined) {
    subtask.result = { status: event.verdict === 'partial-verified' ? 'partial' : 'success', ref: event.reused.result };
    subtask.verdict = event.verdict;
  }
  const record = recordOf(state, event.subtask);
  if (event.type === 'subtask.completed' && record !== undefined) {
    state.log.learned = learnFix(state.log.learned, {
      met: subtask.met,
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
  subtask.met = [];
  if (record?.outcome === 'running')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  removeWaiting(state, event.subtask);
  leaveSlot(state, event.subtask);
  state.queue.unfinished -= 1;
  if (!rowOf(state, event.subtask).synthesis) state.queue.unfinishedNormal -= 1;
  if (event.type === 'subtask.completed' || event.type === 'subtask.skipped') freeDependents(state, event.subtask);
}

function freeDependents(state: TaskState, id: string): void {
  for (const dependent of getOwn(state.plan.dependents, id) ?? []) {
    const subtask = subtaskOf(state, dependent);
    subtask.waitsFor -= 1;
    if (subtask.waitsFor === 0 && subtask.status === 'pending') state.queue.ready.push(dependent);
  }
}
