import type { TaskEvent } from '../types/events.ts';
import { describeEvent } from '../events/describe-event.ts';
import { endSubtask } from './end-subtask.ts';
import type { EventOf } from '../types/events.ts';
import { noteRefusal } from './records.ts';
import * as attempts from './reduce-attempt.ts';
import { reduceBudget } from './reduce-budget.ts';
import { reduceControl } from './reduce-control.ts';
import { reduceDecisions } from './reduce-decisions.ts';
import { reducePlan } from './reduce-plan.ts';
import { reducePlanner } from './reduce-planner.ts';
import { reduceRemedy } from './reduce-remedy.ts';
import { reduceStale } from './reduce-stale.ts';
import { subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';

/**
 * The only thing that changes a task's state: deterministic, no clock, no I/O. It changes the value in place, since a copy of
 * all subtasks at each of their events would make a large plan quadratic.
 */
export function apply(state: TaskState, event: TaskEvent, now: number): void {
  reduce(state, event, now);
  const shownEvent = describeEvent(event);
  if (shownEvent === null) return;
  state.log.lastEventId += 1;
  state.log.events.push({ id: state.log.lastEventId, time: new Date(now).toISOString(), ...shownEvent });
}

function reduce(state: TaskState, event: TaskEvent, now: number): void {
  switch (event.type) {
    case 'task.started':
    case 'task.stalled':
    case 'task.cancel-forced':
    case 'budget.exhausted':
    case 'attempt.rerun':
    case 'repository.changed':
    case 'subtask.requeued':
    case 'verdict':
      return; // shown, and nothing changes
    case 'settings.ready':
    case 'plan.ready':
    case 'plan.degraded':
    case 'plan.replaced':
    case 'plan.normalised':
      return reducePlan(state, event, now);
    case 'planner.used':
    case 'plan.suspended':
    case 'plan.resumed':
    case 'plan.rejected':
    case 'replan.asked':
    case 'replan.started':
    case 'replan.declined':
    case 'replan.failed':
    case 'attempt.diagnosed':
    case 'decision.phrasing':
    case 'decision.phrased':
    case 'lesson.extracting':
    case 'lesson.learned':
      return reducePlanner(state, event, now);
    case 'stale.end-planned':
    case 'outcome.stale':
      return reduceStale(state, event, now);
    case 'decision.opened':
    case 'decision.answered':
      return reduceDecisions(state, event, now);
    case 'task.steered':
    case 'task.paused':
    case 'task.resumed':
    case 'task.finishing':
    case 'task.cancelling':
    case 'task.ended':
      return reduceControl(state, event, now);
    case 'attempt.used':
    case 'budget.warning':
    case 'budget.raised':
      return reduceBudget(state, event);
    case 'attempt.reverted':
    case 'remediation.queued':
    case 'remediation.done':
    case 'remediation.failed':
    case 'remediation.expired':
    case 'remediation.waived':
    case 'remediation.dropped':
    case 'remediation.parked':
    case 'remediation.last':
      return reduceRemedy(state, event, now);
    case 'message.refused':
      return noteRefusal(state, event);
    default:
      return reduceSubtask(state, event, now);
  }
}

type SubtaskEvent = EventOf<
  | 'subtask.started'
  | 'subtask.retried'
  | 'subtask.completed'
  | 'subtask.failed'
  | 'subtask.skipped'
  | 'subtask.blocked'
  | 'evidence.taken'
  | 'attempt.started'
  | 'attempt.suspended'
  | 'attempt.answered'
  | 'attempt.resumed'
  | 'attempt.judging'
  | 'attempt.diagnosing'
  | 'attempt.passed'
  | 'attempt.failed'
  | 'attempt.cancelled'
  | 'attempt.rejected'
  | 'program.permitted'
  | 'check.decided'
  | 'tool.refused'
>;

/** Reduces the rest. Exhaustive: an event that nothing handles does not compile. */
function reduceSubtask(state: TaskState, event: SubtaskEvent, now: number): void {
  switch (event.type) {
    case 'subtask.started':
      return attempts.startSubtask(state, event, now);
    case 'evidence.taken':
      subtaskOf(state, event.subtask).evidence = event.page;
      return;
    case 'attempt.started':
      return attempts.startAttempt(state, event);
    case 'attempt.suspended':
      return attempts.markSuspended(state, event, now);
    case 'attempt.answered':
    case 'program.permitted':
    case 'check.decided':
      return attempts.wakeAttempt(state, event);
    case 'attempt.resumed':
      return attempts.resumeAttempt(state, event);
    case 'tool.refused':
      return attempts.countRefusal(state, event);
    case 'attempt.judging':
    case 'attempt.diagnosing':
      return attempts.startJudging(state, event);
    case 'attempt.passed':
      return attempts.passAttempt(state, event);
    case 'attempt.failed':
      return attempts.failAttempt(state, event, now);
    case 'attempt.cancelled':
      return attempts.cancelAttempt(state, event, now);
    case 'attempt.rejected':
      return attempts.rejectAttempt(state, event, now);
    case 'subtask.retried':
      return attempts.runAgain(state, event, now);
    case 'subtask.completed':
    case 'subtask.failed':
    case 'subtask.skipped':
    case 'subtask.blocked':
      return endSubtask(state, event, now);
  }
  event satisfies never;
}
