import type { Grant, ModelUse } from '../types/agent.ts';
import type { BudgetLimits, BudgetUse } from '../types/basic/budget.ts';
import type { LessonUses } from '../lessons/lesson-uses.ts';
import type { LearnedLesson } from '../types/basic/lessons.ts';
import type { Extraction, LessonMaterial } from '../types/extraction.ts';
import type { Learned } from '../types/basic/memory.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Answered, Decision, Standing } from '../types/decision.ts';
import type { EndState, LoggedEvent, PlanRequest } from '../types/events.ts';
import type { SpentBefore } from '../types/judgement.ts';
import type { Plan, PlanVersion } from '../types/plan.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { nothingLearned } from '../memory/learned.ts';
import type { SubtaskState } from './subtask-state.ts';

/** All that a task knows, in one group for each subject. Plain JSON: it travels through continue-as-new, less what was archived. */
export interface TaskState {
  id: string;
  goal: string;
  startedAt: number;
  subtasks: Record<string, SubtaskState>;
  plan: PlanState;
  queue: QueueState;
  decisions: DecisionsState;
  budget: BudgetState;
  planner: PlannerState;
  log: LogState;
  control: ControlState;
  /** Absent as long as no evidence was ever owed. */
  remedies?: RemediesState;
}

/** Items of remediation; each is kept by its subtask. */
export interface RemediesState {
  /** Number of items that the task has had. */
  count: number;
  /** Subtasks whose item is open. */
  open: string[];
}

/** The work of the task, and its settings. */
export interface PlanState {
  settings: TaskSettings | null;
  current: Plan | null;
  /** Later versions, oldest first. */
  versions?: PlanVersion[];
  /** No model could plan the goal. */
  degraded?: true;
  /** A subtask's index in `current.rows`. */
  index: Record<string, number>;
  /** The subtasks that depend on each subtask, for the scheduler. */
  dependents: Record<string, string[]>;
}

/** The subtasks that run, and those that may start next. A subtask is in at most one of the three lists. */
export interface QueueState {
  /** Ready to start as soon as a slot is free, first come first served. */
  ready: string[];
  /** Ready as soon as their wait is over. */
  delayed: string[];
  running: string[];
  /** Subtasks that have not ended, and how many of them are no synthesis. */
  unfinished: number;
  unfinishedNormal: number;
}

/** Questions to people, and their answers. */
export interface DecisionsState {
  open: Decision[];
  answered: Record<string, Answered>;
  /** Answers that hold for everything with the same signature in this task: failures, and gated actions. */
  standing: Record<string, Standing>;
  /** Escalations since the last resume; too many of them pause the task. */
  escalations: number;
}

export interface BudgetState {
  /** The plan's limits, as people raised them. */
  limits: BudgetLimits;
  used: BudgetUse;
  /** Limits that a warning was given for. */
  warned: string[];
  /** The first subtask whose program told no cost that can be counted. `accepted`: a person raised the limit since, knowing that. */
  unpriced?: { subtask: string; accepted: boolean };
}

/** Models that plan, diagnose failures and reword questions. */
export interface PlannerState {
  /** All that the models that plan have used so far. */
  spent?: SpentBefore;
  /** People rejected the plans before. `isWanted`: another one is to be made. */
  revision?: { feedback: string[]; round: number; isWanted: boolean };
  replan?: PendingReplan;
  /** The model that plans did not answer: when it is asked again, or null once it is. Kept until it has answered. */
  wait?: PlannerWait;
  /** How often a model was asked for a new plan. */
  rounds?: number;
  /** The grant of a planner whose plan nobody waits for any more: the task ends while it works. */
  abandonedGrant?: Grant;
  /** Questions that a model rewords, and what it may spend. */
  rewordings?: Rewording[];
  /** Subtasks that a model learns from now, and what it may spend. */
  extractions?: Extraction[];
  /** The use of models that diagnosed failures, reworded questions or learned lessons. */
  diagnosisUse?: ModelUse[];
}

/** The newest of several waits in a row. */
export interface PlannerWait {
  reason: string;
  notBefore: number | null;
  /** Its number in the row, from 1. */
  nth: number;
  most: number;
}

/** Another plan was asked for and is not there yet. */
export interface PendingReplan {
  request: PlanRequest;
  /** How often a planner was asked, since its plan did not fit any more. */
  runs: number;
  /** The planner was not answered: the same conversation continues. */
  isUnanswered?: true;
  /** Why nobody waits for it any more. */
  declined?: string;
  /** The grant of the planner that works on it. */
  grant?: Grant;
  /** A wish that came while the planner worked: it is for the next plan. */
  next?: PlanRequest;
}

/** A model rewords an escalation. */
export interface Rewording {
  decision: string;
  subtask: string;
  attempt: number;
  grant: Grant;
}

/** The lessons that attempts were shown, and how these ended. */
export interface LessonsState {
  uses: LessonUses;
  /** Lessons that the task learned, oldest first. */
  learned?: LearnedLesson[];
  /** Subtasks that a model has yet to learn from. */
  waiting?: LessonMaterial[];
  /** Number of requests so far. */
  requests?: number;
}

/** The past of the task. */
export interface LogState {
  events: LoggedEvent[];
  lastEventId: number;
  /** Attempts of this run of the workflow, and those that older runs left open. */
  records: AttemptRecord[];
  /** Index in `records` of each subtask's newest. */
  lastRecord: Record<string, number>;
  /** Pages that older runs moved to the store, oldest first. */
  archive: { events: ArchivePage[]; attempts: ArchivePage[] };
  /** Signatures and answers of this task for its project. */
  learned: Learned;
  /** Absent until an attempt was shown a lesson, or one was learned. */
  lessons?: LessonsState;
  /** Problems with messages that had no answer to give (signals): shown in the current details. */
  refused: string[];
}

/** A stretch of the log that an older run moved to the store; `from` and `to` are the numbers of its first and last entry. */
export interface ArchivePage extends Ref {
  from: number;
  to: number;
}

/** How the task as a whole stands, and what people said about all of it. */
export interface ControlState {
  phase: 'planning' | 'running' | 'ended';
  /** Set while paused. */
  paused: { since: number; reason: string; by: 'person' | 'escalations' } | null;
  /** Milliseconds of all pauses that are over. */
  pausedMs: number;
  /** `isLearned`: a model has learned from it. */
  steering: { text: string; subtask: string | null; isLearned?: true }[];
  /** A person chose to finish with what is done. */
  finishing: boolean;
  /** That person, where a name is known. */
  finishedBy?: string;
  cancelling: string | null;
  /** Set where the task stops as failed, not as cancelled. */
  stopCode?: ErrorCode;
  ended: { state: EndState; reason: string; code: string | null; at: number } | null;
}

export function newState(id: string, goal: string, now: number): TaskState {
  return {
    id,
    goal,
    startedAt: now,
    subtasks: {},
    plan: { settings: null, current: null, index: {}, dependents: {} },
    queue: { ready: [], delayed: [], running: [], unfinished: 0, unfinishedNormal: 0 },
    decisions: { open: [], answered: {}, standing: {}, escalations: 0 },
    budget: { limits: {}, used: {}, warned: [] },
    planner: {},
    log: {
      events: [],
      lastEventId: 0,
      records: [],
      lastRecord: {},
      archive: { events: [], attempts: [] },
      learned: nothingLearned(),
      refused: [],
    },
    control: {
      phase: 'planning',
      paused: null,
      pausedMs: 0,
      steering: [],
      finishing: false,
      cancelling: null,
      ended: null,
    },
  };
}
