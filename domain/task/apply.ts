import type { TaskEvent } from '../types/events.ts';
import { describeEvent } from '../events/format-event.ts';
import * as changes from './changes.ts';
import { noteDiagnosis } from './note-diagnosis.ts';
import { reduceRewording } from './reduce-rewording.ts';
import { endSubtask } from './end-subtask.ts';
import { changeByReplan } from './replace-plan.ts';
import { changePlan } from './take-plan.ts';
import type { TaskState } from './state.ts';

type SubtaskEvent = Extract<
  TaskEvent,
  {
    type:
      | `subtask.${string}`
      | `attempt.${string}`
      | 'program.permitted'
      | 'check.decided'
      | 'tool.refused'
      | 'repository.changed'
      | 'verdict';
  }
>;

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
      return; // told, and nothing changes
    case 'settings.ready':
    case 'plan.ready':
    case 'plan.degraded':
    case 'plan.rejected':
    case 'planner.used':
      return changePlan(state, event);
    case 'plan.replaced':
    case 'plan.normalised':
    case 'replan.asked':
    case 'replan.started':
    case 'stale.ends':
    case 'replan.failed':
    case 'outcome.stale':
      return changeByReplan(state, event, now);
    case 'decision.opened':
      return changes.openDecision(state, event.decision);
    case 'decision.phrasing':
    case 'decision.phrased':
      return reduceRewording(state, event);
    case 'decision.answered':
      return changes.answerDecision(state, event, now);
    case 'task.steered':
      return changes.steerTask(state, event);
    case 'task.paused':
    case 'task.resumed':
      return changes.pauseOrResume(state, event, now);
    case 'task.finishing':
      return changes.finishTask(state);
    case 'budget.warning':
    case 'budget.raised':
      return changes.changeBudget(state, event);
    case 'message.refused':
      return changes.noteRefusal(state, event);
    case 'task.cancelling':
      return changes.stopTask(state, event);
    case 'task.ended':
      return changes.endTask(state, event, now);
    default:
      return reduceSubtask(state, event, now);
  }
}

/** The rest. Exhaustive: an event that nothing handles does not compile. */
function reduceSubtask(state: TaskState, event: SubtaskEvent, now: number): void {
  switch (event.type) {
    case 'attempt.rerun':
    case 'repository.changed':
    case 'subtask.requeued':
      return; // told, and nothing changes
    case 'subtask.started':
      return changes.startSubtask(state, event, now);
    case 'attempt.started':
      return changes.startAttempt(state, event);
    case 'attempt.suspended':
      return changes.suspendAttempt(state, event, now);
    case 'attempt.woken':
    case 'program.permitted':
    case 'check.decided':
      return changes.wakeAttempt(state, event);
    case 'attempt.resumed':
      return changes.resumeAttempt(state, event);
    case 'attempt.used':
      return changes.countUse(state, event);
    case 'tool.refused':
      return changes.countRefusal(state, event);
    case 'attempt.judging':
    case 'attempt.diagnosing':
      return changes.startJudging(state, event);
    case 'attempt.diagnosed':
      return noteDiagnosis(state, event);
    case 'verdict':
      return changes.noteVerdict(state, event);
    case 'attempt.passed':
      return changes.passAttempt(state, event);
    case 'attempt.failed':
      return changes.failAttempt(state, event, now);
    case 'attempt.cancelled':
      return changes.cancelAttempt(state, event, now);
    case 'attempt.rejected':
      return changes.rejectAttempt(state, event, now);
    case 'subtask.again':
      return changes.runAgain(state, event);
    case 'subtask.completed':
    case 'subtask.failed':
    case 'subtask.skipped':
    case 'subtask.blocked':
      return endSubtask(state, event, now);
  }
  event satisfies never;
}
