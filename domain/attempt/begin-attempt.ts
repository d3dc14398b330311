import type { Grant, PersonReply } from '../types/agent.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { ResumePoint } from '../types/events.ts';
import type { Step } from '../types/ladder.ts';
import { timeLimitAfter } from '../failure/recovery-strategies.ts';
import { grantFor } from '../schedule/grants.ts';
import { limitsOf, resolveLadder, rowOf, subtaskOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { TaskState } from '../task/state.ts';
import { suspensionOf } from '../task/subtask-phase.ts';
import { runningRecord } from './running-record.ts';

/*
 * The life of an attempt: it begins (or goes on), is executed, checked, and ends or stands still. The workflow and the model test
 * play the functions of this folder; only where the outcomes come from differs.
 */

/** One attempt from its begin to its record: everything that its execution, verification and judging need. `docs/glossary.md` defines the levels: an attempt contains executions, an execution contains activity tries. */
export interface Attempt {
  subtask: string;
  attempt: number;
  /** When the attempt began, also when it goes on. */
  startedAt: string;
  step: Step;
  /** Milliseconds. */
  timeout: number;
  /** It works in a copy of the workspace. */
  isolation?: 'worktree';
  resumeFrom: ResumePoint;
  /** The grant and a person's reply, for an agent. */
  grant: Grant;
  reply: PersonReply | null;
}

/** A new attempt, or the one that stood still: same number, same key. */
export function beginAttempt(task: RunningTask, id: string): Attempt {
  const { state } = task;
  const subtask = subtaskOf(state, id);
  const { climb, strategy } = subtask;
  const suspension = suspensionOf(subtask);
  const step = currentStep(state, id);
  const { isolation } = rowOf(state, id);
  const facts = {
    ...{ subtask: id, step, timeout: computeTimeLimit(state, id, step) },
    ...(isolation === undefined ? {} : { isolation }),
  };
  const grant = grantFor(state, id);
  if (grant === null) throw new Error(`there is nothing that ${id} may spend`);
  const given = Object.keys(grant).length === 0 ? {} : { grant };
  if (suspension !== undefined) {
    const { why, resumeFrom, reply = null } = suspension;
    const { attempt, startedAt } = runningRecord(state, id);
    task.record({ type: 'attempt.resumed', subtask: id, attempt, why, ...given });
    return { ...facts, attempt, startedAt, resumeFrom, grant, reply };
  }
  if (climb.attempts === 0) task.record({ type: 'subtask.started', subtask: id });
  const attempt = climb.attempts + 1;
  const startedAt = new Date(task.now).toISOString();
  const record: AttemptRecord = {
    subtask: id,
    attempt,
    rung: step.rung,
    tier: step.tier,
    thinking: step.thinking,
    strategy,
    startedAt,
    endedAt: null,
    outcome: 'running',
    failure: null,
    notes: '',
    files: [],
    verify: [],
    verdict: null,
    reruns: 0,
    waits: [],
    used: { costUsd: 0, tokens: 0 },
    output: null,
  };
  task.record({ type: 'attempt.started', subtask: id, record, ...given });
  const resumeFrom: ResumePoint = { phase: 'execute', checkpoint: null };
  return { ...facts, attempt, startedAt, resumeFrom, grant, reply: null };
}

function currentStep(state: TaskState, id: string): Step {
  const step = resolveLadder(state, id).steps[subtaskOf(state, id).climb.step];
  if (step === undefined) throw new Error(`${id} stands on no rung`);
  return step;
}

/** The rung's or the executor's limit, longer after each failure whose strategy says so, bounded. */
function computeTimeLimit(state: TaskState, id: string, step: Step): number {
  const { call, recovery } = rowOf(state, id);
  const { timeoutGrowthCeiling: ceiling } = limitsOf(state);
  return timeLimitAfter(subtaskOf(state, id).failureCounts, step.timeout ?? call.timeout, recovery, ceiling);
}
