import type { EventOf, Result } from '../types/events.ts';
import { buildMaterial, clipCorrection } from '../lessons/build-material.ts';
import { countHelped } from '../lessons/lesson-uses.ts';
import { limits } from '../limits/domain-limits.ts';
import { learnFix } from '../memory/learned.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { enterPhase } from './enter-phase.ts';
import { putRecord } from './records.ts';
import { recordOf, rowOf, subtaskOf } from './read-state.ts';
import { releaseDependents } from './reduce-remedy.ts';
import type { TaskState } from './state.ts';
import { passedOf, type Phase } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

type EndingEvent = EventOf<'subtask.completed' | 'subtask.failed' | 'subtask.skipped' | 'subtask.blocked'>;

export function endSubtask(state: TaskState, event: EndingEvent, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'subtask.blocked' && event.waits) return;
  enterPhase(state, subtask, event.type, buildEnd(subtask, event, now));
  if (event.type === 'subtask.completed' && event.reused?.evidence !== undefined)
    subtask.evidence = event.reused.evidence;
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
  // Nor does it show how failures were overcome, and its record may be in the store by now.
  if (record !== undefined && subtask.remedy === undefined) keepMaterial(state, subtask, event, record);
  // Nobody will be told of these any more, and a large plan has many of them.
  subtask.failures = [];
  subtask.guidance = [];
  subtask.failureSignatures = [];
  delete subtask.corrections;
  if (record?.outcome === 'running')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  state.queue.unfinished -= 1;
  if (!rowOf(state, event.subtask).synthesis) state.queue.unfinishedNormal -= 1;
  if (event.type === 'subtask.completed' || event.type === 'subtask.skipped')
    releaseDependents(state, subtask, event.type);
  delete subtask.released;
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
  const result = passedOf(subtask)?.result ?? subtask.remedy?.result;
  if (result === undefined) throw new Error(`${subtask.id} has no result`);
  return result;
}

/** A model may learn from it, where the task has one that does. */
function keepMaterial(state: TaskState, subtask: SubtaskState, event: EndingEvent, record: AttemptRecord): void {
  if (state.plan.settings?.lessons?.extracts !== true) return;
  const end = endsToLearnFrom[event.type];
  if (end === undefined) return;
  const { failures, corrections = [], recalled = [] } = subtask;
  const material = buildMaterial({
    ...{ end, record, failures, recalled },
    corrections: [...takeSteering(state, subtask.id), ...corrections],
    readOutside: hasReadOutside(state, subtask.id),
  });
  if (material === null) return;
  const lessons = state.log.lessons ?? { uses: {} };
  const { waiting = [], requests = 0 } = lessons;
  if (requests + waiting.length >= limits.lessons.requests) return;
  state.log.lessons = { ...lessons, waiting: [...waiting, material] };
}

const endsToLearnFrom: Partial<Record<EndingEvent['type'], 'completed' | 'failed'>> = {
  'subtask.completed': 'completed',
  'subtask.failed': 'failed',
};

/** Instructions that reached the subtask; one for all is learned from the first subtask that ends with it. */
function takeSteering(state: TaskState, id: string): string[] {
  const own = state.control.steering.filter(
    ({ subtask, isLearned }) => isLearned !== true && (subtask === null || subtask === id),
  );
  for (const steering of own) steering.isLearned = true;
  return own.map(({ text }) => clipCorrection(text));
}

/** Decides if it, or a subtask that it builds on, read texts that anybody may have written. A program with models of its own may have. */
function hasReadOutside(state: TaskState, id: string): boolean {
  const seen = new Set([id]);
  // A set goes on over what is added while it is walked.
  for (const one of seen) {
    const { call, dependsOn } = rowOf(state, one);
    if (subtaskOf(state, one).readOutside === true || (call.kind === 'command' && call.usesModel === true)) return true;
    for (const dependency of dependsOn) seen.add(dependency);
  }
  return false;
}
