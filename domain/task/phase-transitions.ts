import type { TaskEvent } from '../types/events.ts';
import type { PhaseName } from './subtask-phase.ts';

/** For each phase the events that end it, and the phases that may follow: `enterPhase` refuses every other move. `docs/architecture/states.md` draws it. */
export const transitions: Readonly<
  Record<PhaseName, Readonly<Partial<Record<TaskEvent['type'], readonly PhaseName[]>>>>
> = {
  waiting: {
    'plan.ready': ['ready'],
    'plan.replaced': ['ready'],
    // Its last dependency has ended.
    'subtask.completed': ['ready'],
    'remediation.queued': ['ready'],
    'subtask.skipped': ['ready', 'skipped'],
    'subtask.failed': ['failed'],
    'subtask.blocked': ['blocked'],
  },
  ready: {
    'attempt.started': ['running'],
    'decision.opened': ['asked'],
    'plan.replaced': ['waiting'],
    // Its work is taken over from an earlier task, or kept with the evidence still owed.
    'subtask.completed': ['completed'],
    'subtask.skipped': ['skipped'],
    'subtask.failed': ['failed'],
    'subtask.blocked': ['blocked'],
  },
  delayed: {
    'attempt.started': ['running'],
    'plan.replaced': ['waiting'],
    'subtask.completed': ['completed'],
    'subtask.failed': ['failed'],
    'subtask.skipped': ['skipped'],
    'subtask.blocked': ['blocked'],
  },
  running: {
    'attempt.suspended': ['suspended'],
    'attempt.passed': ['passed'],
    'attempt.failed': ['ready', 'delayed', 'unresolved'],
    'attempt.cancelled': ['unresolved'],
    'outcome.stale': ['waiting', 'ready'],
    'subtask.completed': ['completed'],
    'subtask.skipped': ['skipped'],
  },
  suspended: {
    'attempt.resumed': ['running'],
    'decision.opened': ['asked'],
    'plan.replaced': ['ready', 'waiting'],
    'subtask.completed': ['completed'],
    'subtask.skipped': ['skipped'],
    'subtask.failed': ['failed'],
  },
  passed: {
    'decision.opened': ['asked'],
    'subtask.completed': ['completed'],
  },
  unresolved: {
    'decision.opened': ['asked'],
    'remediation.queued': ['delayed'],
    'remediation.parked': ['parked'],
    'subtask.completed': ['completed'],
    'subtask.failed': ['failed'],
    'subtask.skipped': ['skipped'],
  },
  parked: {
    'remediation.last': ['ready'],
    'plan.replaced': ['waiting'],
    'subtask.completed': ['completed'],
    'subtask.skipped': ['skipped'],
  },
  asked: {
    'decision.answered': ['answered'],
    'plan.replaced': ['waiting'],
    'subtask.completed': ['completed'],
    'subtask.skipped': ['skipped'],
    'subtask.blocked': ['blocked'],
  },
  answered: {
    'subtask.retried': ['ready'],
    'attempt.answered': ['suspended'],
    'program.permitted': ['suspended'],
    'check.decided': ['ready'],
    'decision.opened': ['asked'],
    'plan.replaced': ['waiting'],
    'subtask.completed': ['completed'],
    'subtask.failed': ['failed'],
    'subtask.skipped': ['skipped'],
    'subtask.blocked': ['blocked'],
  },
  completed: {},
  failed: {},
  skipped: {},
  blocked: {},
};
