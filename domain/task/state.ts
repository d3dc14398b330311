import type { DependencyResult, Verdict } from '../model/attempt.ts';
import type { BudgetUse } from '../model/budget.ts';
import type { Answer, AnsweredDecision, Decision } from '../model/decision.ts';
import type { EndState, LoggedEvent } from '../model/events.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Climb, Strategy } from '../model/ladder.ts';
import type { FinishedSubtask } from '../model/reuse.ts';
import type { Task } from '../model/task.ts';
import type { Subtask } from '../model/subtask.ts';
import type { BudgetLimits } from '../model/budget.ts';

export type SubtaskStatus =
  'pending' | 'running' | 'waiting' | 'remediating' | 'completed' | 'failed' | 'skipped' | 'blocked';

export interface SubtaskState {
  id: string;
  status: SubtaskStatus;
  /** Dependencies that have not ended well yet. It may start at zero. */
  waitsFor: number;
  climb: Climb;
  /** The attempt that an environment wait interrupted; the next start goes on with it instead of counting a new one. */
  resumes: boolean;
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
  result: DependencyResult | null;
  /** Why it failed, is blocked or was skipped. */
  reason: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

/** All that a task knows. Plain JSON: it travels whole through continue-as-new. */
export interface TaskState {
  id: string;
  goal: string;
  startedAt: number;
  phase: 'planning' | 'running' | 'ended';
  task: Task | null;
  planVersion: number;
  subtasks: Record<string, SubtaskState>;
  /** Where a subtask stands in `task.subtasks`. */
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
  records: AttemptRecord[];
  /** Index in `records` of each subtask's newest. */
  lastRecord: Record<string, number>;
  /** Open ones. */
  decisions: Decision[];
  answered: Record<string, AnsweredDecision>;
  /** Answers that hold for every failure with the same signature in this task. */
  standing: Record<string, Answer>;
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
  cancelling: string | null;
  ended: { state: EndState; reason: string; code: string | null; at: number } | null;
  events: LoggedEvent[];
  lastEventId: number;
  /** Pages of older events in the store, oldest first. */
  archived: { from: number; to: number; sha256: string; bytes: number }[];
  /** Problems with messages that had no answer to give (signals): shown in the current details. */
  refused: string[];
}

export function newState(id: string, goal: string, now: number): TaskState {
  return {
    id,
    goal,
    startedAt: now,
    phase: 'planning',
    task: null,
    planVersion: 0,
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
    paused: null,
    escalations: 0,
    pausedMs: 0,
    steering: [],
    used: {},
    budget: {},
    standing: {},
    warned: [],
    cancelling: null,
    ended: null,
    events: [],
    lastEventId: 0,
    archived: [],
    refused: [],
  };
}

export function subtaskOf(state: TaskState, id: string): SubtaskState {
  const found = Object.hasOwn(state.subtasks, id) ? state.subtasks[id] : undefined;
  if (found === undefined) throw new Error(`no subtask ${id} in the plan`);
  return found;
}

export function definitionOf(state: TaskState, id: string): Subtask {
  const found = state.task?.subtasks[state.index[id] ?? -1];
  if (found === undefined) throw new Error(`no subtask ${id} in the plan`);
  return found;
}

/** The newest record of a subtask. */
export function recordOf(state: TaskState, id: string): AttemptRecord | undefined {
  return state.records[state.lastRecord[id] ?? -1];
}

/** Ended, well or not: nothing more will happen to it by itself. */
export const hasEnded = (status: SubtaskStatus): boolean =>
  status === 'completed' || status === 'skipped' || status === 'failed' || status === 'blocked';

/** What is completed, in plan order, with what dependents are given. */
export function finishedSubtasks(state: TaskState): FinishedSubtask[] {
  return (state.task?.subtasks ?? []).flatMap(({ id }) => {
    const { status, verdict, result } = subtaskOf(state, id);
    return status === 'completed' && result !== null && verdict !== 'fail'
      ? [{ id, verdict: verdict ?? 'pass', result }]
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
