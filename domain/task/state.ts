import type { Grant, ModelUse, ProgramPermit, PersonReply } from '../types/agent.ts';
import type { CheckAnswer } from '../types/basic/gate.ts';
import type { Diagnosis, PastFailure, Verdict } from '../types/attempt.ts';
import type { BudgetLimits, BudgetUse } from '../types/basic/budget.ts';
import type { Answered, Decision, Standing } from '../types/decision.ts';
import type { EndState, LoggedEvent, Result, ResumePoint, WantedPlan } from '../types/events.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { SpentBefore } from '../types/judgement.ts';
import type { Climb, Strategy } from '../types/ladder.ts';
import type { Learned } from '../types/basic/memory.ts';
import type { SuspendReason } from '../types/outcome.ts';
import type { Plan, PlanPage, PlanRow, PlanVersion } from '../types/plan.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { FinishedSubtask } from '../types/reuse.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import { hasEnded, type SubtaskStatus } from '../types/subtask.ts';
import { nothingLearned } from '../memory/learned.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { getOwn } from '../util/own-property.ts';
import { defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';

export { hasEnded, type SubtaskStatus };

/** A failed attempt: as the next one is told of it, and how it was made, for a person. */
export interface FailedAttempt
  extends PastFailure, Pick<AttemptRecord, 'startedAt' | 'tier' | 'thinking' | 'session'> {}

export interface SubtaskState {
  id: string;
  status: SubtaskStatus;
  /** Dependencies that have not ended well yet. It may start at zero. */
  waitsFor: number;
  climb: Climb;
  /** The attempt that stands still; the next start goes on with it instead of counting a new one. */
  suspended: { why: SuspendReason; goesOn: ResumePoint; starved?: true } | null;
  /** What a model found out about its failures, once asked; null: nothing. */
  diagnosis?: Diagnosis | null;
  /** The attempt whose failure a model was last asked to put into words. */
  phrased?: number;
  /** What its running execution may spend. Held until it tells what it spent, or the attempt has ended. */
  grant?: Grant;
  /** What a person said to the attempt: given again with every execution of it, since nobody knows which one took it. */
  resume?: PersonReply;
  /** What a person allowed its program: it holds for all attempts. */
  permit?: ProgramPermit;
  /** What people said about its verify commands. */
  checks?: CheckAnswer[];
  /** Not started before this time (ms): a backoff, or a wait for the environment. */
  notBefore: number | null;
  environmentWaits: number;
  /** What a person said, newest last: it comes first in the next prompt. */
  guidance: string[];
  /** What the project's memory said about the last failure. */
  hint: string | null;
  strategy: Strategy;
  decision: string | null;
  decisions: number;
  verdict: Verdict['outcome'] | null;
  result: Result | null;
  /** Failed attempts, newest last, bounded: the next one is told of them. Emptied when the subtask has ended. */
  failures: FailedAttempt[];
  /** Signatures of its failures: what fixes it explains them all. */
  met: string[];
  /** How often each type of failure was met: some make the next time limit longer. */
  failed: Partial<Record<FailureType, number>>;
  /** What its failed attempts took, for whoever decides about another one. */
  spent: { attempts: number; costUsd: number; ms: number };
  /** Why it failed, is blocked or was skipped. */
  reason: string | null;
  startedAt: number | null;
  endedAt: number | null;
  /** The version of the plan that last defined it, after the first. */
  version?: number;
  /** What runs of it was started by an older plan. It holds its slot until it has stopped. */
  stale?: Stale;
}

export interface Stale {
  /** The plan that started it. */
  version: number;
  /** What it writes, whatever the new plan says. */
  deliverables: string[];
  /** Why the subtask ends with it. */
  superseded?: string;
  /** How it ends, where not the new plan but something that it now waits for is the reason. */
  ends?: { type: 'subtask.skipped' } | { type: 'subtask.blocked'; independent: number };
}

/** Another plan was asked for and is not there yet. */
export interface Replanning {
  wanted: WantedPlan;
  /** How often a planner was asked, since what it planned did not fit any more. */
  runs: number;
  /** Of the planner that works on it. */
  grant?: Grant;
  /** What was asked for while it worked. */
  next?: WantedPlan;
}

/** A model looks for better words for an escalation. */
export interface Rewording {
  decision: string;
  subtask: string;
  attempt: number;
  grant: Grant;
}

/** A stretch of the log that an older run moved to the store; `from` and `to` are the numbers of its first and last entry. */
export interface ArchivePage extends Ref {
  from: number;
  to: number;
}

/** All that a task knows. Plain JSON: it travels through continue-as-new, less what was archived. */
export interface TaskState {
  id: string;
  goal: string;
  startedAt: number;
  phase: 'planning' | 'running' | 'ended';
  setting: TaskSettings | null;
  plan: Plan | null;
  /** No model could plan the goal. */
  degraded?: true;
  /** People did not want the plans before. `isWanted`: another one is to be made. */
  planning?: { wishes: string[]; round: number; isWanted: boolean };
  /** Later versions of the plan, oldest first. */
  plans?: PlanVersion[];
  replan?: Replanning;
  /** What a planner still holds that nobody waits for any more: the task ends while it works. */
  leftPlanner?: Grant;
  /** How often a model was asked for one of them. */
  replanRounds?: number;
  /** What the models that plan have used so far. */
  planned?: SpentBefore;
  /** Questions for which a model looks for better words, and what it may spend. */
  phrases?: Rewording[];
  /** What the models have used that looked at failures. */
  diagnosed?: ModelUse[];
  subtasks: Record<string, SubtaskState>;
  /** Where a subtask stands in `plan.rows`. */
  index: Record<string, number>;
  /** Who depends on whom, for the scheduler. */
  dependents: Record<string, string[]>;
  /** Ready to start as soon as a slot is free, first come first served. */
  ready: string[];
  /** Ready as soon as their wait is over. */
  delayed: string[];
  running: string[];
  /** Subtasks that have not ended, and how many of them are no synthesis. */
  open: number;
  openNormal: number;
  /** Attempts of this run of the workflow, and those that older runs left open. */
  records: AttemptRecord[];
  /** Index in `records` of each subtask's newest. */
  lastRecord: Record<string, number>;
  /** Open ones. */
  decisions: Decision[];
  answered: Record<string, Answered>;
  /** Answers that hold for everything with the same signature in this task: failures, and gated actions. */
  standing: Record<string, Standing>;
  /** What this task can teach its project. */
  learned: Learned;
  /** Set while paused. */
  paused: { since: number; reason: string; by: 'person' | 'escalations' } | null;
  escalations: number;
  /** Milliseconds that the task stood still. */
  pausedMs: number;
  steering: { text: string; subtask: string | null }[];
  used: BudgetUse;
  /** The plan's limits, as people raised them. */
  budget: BudgetLimits;
  warned: string[];
  /** The first subtask whose program told no cost that can be counted. `accepted`: a person raised the limit since, knowing that. */
  unpriced?: { subtask: string; accepted: boolean };
  /** A person chose to finish with what is done. */
  finishing: boolean;
  cancelling: string | null;
  /** Set where the task stops as failed, not as cancelled. */
  stopCode?: ErrorCode;
  ended: { state: EndState; reason: string; code: string | null; at: number } | null;
  events: LoggedEvent[];
  lastEventId: number;
  /** What older runs moved to the store, oldest first. */
  archive: { events: ArchivePage[]; attempts: ArchivePage[] };
  /** Problems with messages that had no answer to give (signals): shown in the current details. */
  refused: string[];
}

export function newState(id: string, goal: string, now: number): TaskState {
  return {
    id,
    goal,
    startedAt: now,
    phase: 'planning',
    setting: null,
    plan: null,
    subtasks: {},
    index: {},
    dependents: {},
    ready: [],
    delayed: [],
    running: [],
    open: 0,
    openNormal: 0,
    records: [],
    lastRecord: {},
    decisions: [],
    answered: {},
    standing: {},
    learned: nothingLearned(),
    paused: null,
    escalations: 0,
    pausedMs: 0,
    steering: [],
    used: {},
    budget: {},
    warned: [],
    finishing: false,
    cancelling: null,
    ended: null,
    events: [],
    lastEventId: 0,
    archive: { events: [], attempts: [] },
    refused: [],
  };
}

export function subtaskOf(state: TaskState, id: string): SubtaskState {
  const subtask = getOwn(state.subtasks, id);
  if (subtask === undefined) throw new Error(`no subtask ${id} in the plan`);
  return subtask;
}

/** What the plan says of a subtask. */
export function rowOf(state: TaskState, id: string): PlanRow {
  const row = state.plan?.rows[getOwn(state.index, id) ?? -1];
  if (row === undefined) throw new Error(`no subtask ${id} in the plan`);
  return row;
}

/** What a running subtask writes: as the plan has it that started it. */
export const writtenBy = (state: TaskState, id: string): readonly string[] =>
  subtaskOf(state, id).stale?.deliverables ?? rowOf(state, id).deliverables;

export const rowsOf = (state: TaskState): readonly PlanRow[] => state.plan?.rows ?? [];

/** The page of the plan that holds a subtask's definition. */
export function pageOf(state: TaskState, id: string): PlanPage {
  const index = getOwn(state.index, id) ?? -1;
  const page = state.plan?.pages.find(({ from, count }) => index >= from && index < from + count);
  if (page === undefined) throw new Error(`no page of the plan holds ${id}`);
  return page;
}

export function settingsOf(state: TaskState): TaskSettings {
  if (state.setting === null) throw new Error('there is no plan yet');
  return state.setting;
}

/** The limits of this task: what its config said at its start, else the defaults. */
export const limitsOf = ({ setting }: Pick<TaskState, 'setting'>): TaskLimits => ({
  ...defaultTaskLimits,
  ...setting?.limits,
});

/** The newest record of a subtask, as far as this run knows it. */
export function recordOf(state: TaskState, id: string): AttemptRecord | undefined {
  return state.records[getOwn(state.lastRecord, id) ?? -1];
}

/** What is completed, in plan order, with what dependents are given. */
export function finishedSubtasks(state: TaskState): FinishedSubtask[] {
  return rowsOf(state).flatMap(({ id }) => {
    const { status, verdict, result } = subtaskOf(state, id);
    return status === 'completed' && result !== null && verdict !== 'fail'
      ? [{ id, verdict: verdict ?? 'pass', result: result.ref }]
      : [];
  });
}

/** `deploy-1`, `deploy-2`: the first number that no question of the task has had, whatever its subtasks are called. */
export function freeDecisionId(state: TaskState, stem: string): string {
  let number = 1;
  while (
    Object.hasOwn(state.answered, `${stem}-${number}`) ||
    state.decisions.some(({ id }) => id === `${stem}-${number}`)
  )
    number += 1;
  return `${stem}-${number}`;
}
