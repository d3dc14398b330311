import type { RepositoryChange } from './basic/workspace.ts';
import type { Result } from './basic/result.ts';
import type { Grant, ModelUse, ProgramPermit, PersonReply } from './agent.ts';
import type { Diagnosis, Verdict } from './attempt.ts';
import type { CheckAnswer } from './basic/gate.ts';
import type { CliSession, Denial } from './basic/completion-contract.ts';
import type { BudgetKey } from './basic/budget.ts';
import type { ProjectTest } from './planner.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { DecisionAnswer, AnswerSource, Decision, OptionId } from './decision.ts';
import type { Failure } from './basic/failure.ts';
import type { LearnedLesson, ShownLesson } from './basic/lessons.ts';
import type { Extraction } from './extraction.ts';
import type { Judgement, SpentBefore } from './judgement.ts';
import type { FailureCategory, FailureType } from './basic/failure-types.ts';
import type { NextStep } from './ladder.ts';
import type { Finished, Restored, SuspendReason, ToolFailure, ResourceUsage } from './outcome.ts';
import type { Plan, PlanChanges, Superseded } from './plan.ts';
import type { Remedy } from './remedy.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { FileState, Ref } from './basic/ref.ts';
import type { TaskSettings } from './task-settings.ts';
import type { Tier } from './subtask.ts';

export type EndState = 'completed' | 'failed' | 'cancelled';

/** The point where an attempt resumes: it is executed (again), or only its verification or its judges run, on what was kept of the execution. */
export type ResumePoint =
  | { phase: 'execute'; checkpoint: Ref | null }
  | { phase: 'verify'; finished: Finished }
  | ({ phase: 'judge' } & Judging);

/** A result that is judged: it passed its checks. */
export interface Judging {
  finished: Finished;
  verdict: Verdict;
  /** From 1. */
  run: number;
  before: SpentBefore;
}

/** Everything that can happen to a task. The state changes by these and nothing else. */
export type TaskEvent =
  | { type: 'task.started'; goal: string }
  | { type: 'plan.ready'; settings: TaskSettings; plan: Plan }
  /** By the models that plan, in all so far: whatever came of it. */
  | { type: 'planner.used'; used: ResourceUsage; models: ModelUse[] }
  /** No model could plan the goal: all of it becomes one subtask. */
  | { type: 'plan.degraded'; reasons: string[]; checked: boolean; test?: ProjectTest; process?: string }
  /** The model that plans did not answer, for the nth time in a row: it is asked again after a wait, `most` times. */
  | { type: 'plan.suspended'; reason: string; waitMs: number; nth: number; most: number }
  | { type: 'plan.resumed' }
  /** A person wants another plan. */
  | { type: 'plan.rejected'; feedback: string }
  /** How the task runs, before there is a plan. */
  | { type: 'settings.ready'; settings: TaskSettings }
  /** Somebody or something asks for another plan. */
  | { type: 'replan.asked'; request: PlanRequest }
  /** A planner works on it, and may spend this. */
  | { type: 'replan.started'; grant: Grant }
  /** Nobody waits for the new plan any more, although no model could be asked for it. */
  | { type: 'replan.declined'; reason: string }
  | { type: 'replan.failed'; reason: string }
  /** Every subtask of the plan before stands where it stood; new ones follow. */
  | { type: 'plan.replaced'; plan: Plan; changes: PlanChanges }
  /** These are no syntheses any more: others wait for them. */
  | { type: 'plan.normalised'; demoted: string[] }
  /** A subtask that it waits for in the new plan has come to nothing while the attempt that the old plan started is being stopped: it ends with that. */
  | ({ type: 'stale.end-planned'; subtask: string; reason: string } & {
      as: { type: 'subtask.skipped' } | { type: 'subtask.blocked'; independent: number };
    })
  /** The outcome of an attempt that an older plan had started: its use counts, nothing else. */
  | { type: 'outcome.stale'; subtask: string; attempt: number; version: number; files: FileState[] }
  | { type: 'subtask.started'; subtask: string }
  /** `grant`: what an agent may spend, where something has a limit. */
  | { type: 'attempt.started'; subtask: string; record: AttemptRecord; grant?: Grant }
  /** It stands still and holds no slot; number, key and record stay. */
  | {
      type: 'attempt.suspended';
      subtask: string;
      attempt: number;
      why: SuspendReason;
      reason: string;
      waitMs: number | null;
      resumeFrom: ResumePoint;
      /** It ran out of its grant without having spent any of it: a larger one is needed. */
      needsFullGrant?: true;
    }
  /** A person's answer for it is there. */
  | { type: 'attempt.answered'; subtask: string; reply: PersonReply }
  /** A person lets its program run: in this attempt and in those after it. */
  | { type: 'program.permitted'; subtask: string; permit: ProgramPermit }
  /** A person said what becomes of one of its verify commands. */
  | { type: 'check.decided'; subtask: string; check: CheckAnswer }
  | { type: 'attempt.resumed'; subtask: string; attempt: number; why: SuspendReason; grant?: Grant }
  /** Its use so far and its output; recorded with every outcome. */
  | {
      type: 'attempt.used';
      subtask: string;
      used: ResourceUsage;
      reruns: number;
      output: Ref | null;
      models?: ModelUse[];
      transcript?: Ref;
      gated?: true;
      session?: CliSession;
      denied?: Denial[];
      evidence?: Ref;
      failedCalls?: number;
      toolFailures?: ToolFailure[];
      lessons?: ShownLesson[];
      readOutside?: true;
    }
  /** Its result passed its checks and goes to its judges, who may spend this. */
  | { type: 'attempt.judging'; subtask: string; grant?: Grant }
  /** A model looks at the failures before it begins. `grant`: what that may spend, where the attempt itself has none. */
  | { type: 'attempt.diagnosing'; subtask: string; grant?: Grant }
  | { type: 'attempt.diagnosed'; subtask: string; diagnosis: Diagnosis | null; used: ResourceUsage; models: ModelUse[] }
  | { type: 'tool.refused'; subtask: string; attempt: number; tool: string; why: string }
  | ({ type: 'repository.changed'; subtask: string; attempt: number } & RepositoryChange)
  | { type: 'attempt.rerun'; subtask: string; attempt: number; reruns: number }
  | {
      type: 'verdict';
      subtask: string;
      attempt: number;
      outcome: Judgement['outcome'];
      issues: string;
      judgement?: Judgement;
    }
  | { type: 'attempt.passed'; subtask: string; attempt: number; record: AttemptRecord; result: Result }
  | {
      type: 'attempt.failed';
      subtask: string;
      attempt: number;
      record: AttemptRecord;
      failure: Failure;
      next: NextStep | { kind: 'stopped' };
      /** A wait before the next attempt. */
      waitMs: number;
      /** The tier of the next attempt, where no model does the work: there it is the tier that grows. */
      nextTier?: Tier;
      /** No other model can do the work. */
      sameModel?: true;
    }
  /** It was cancelled with its task; what it used counts. */
  | { type: 'attempt.cancelled'; subtask: string; attempt: number; files: FileState[] }
  /** A person did not accept what had passed. */
  | { type: 'attempt.rejected'; subtask: string; failure: Failure }
  /** A person's answer lets it run again. */
  | { type: 'subtask.retried'; subtask: string; guidance: string }
  | {
      type: 'subtask.completed';
      subtask: string;
      verdict: Verdict['outcome'];
      by?: string;
      /** Taken over from an earlier task. */
      reused?: { task: string; result: Ref; evidence?: Ref };
    }
  /** A later look found that the work of an earlier task cannot be taken over: it runs. */
  | { type: 'subtask.requeued'; subtask: string; task: string; reason: string }
  /** Records of an earlier task for a subtask that runs again. */
  | { type: 'evidence.taken'; subtask: string; page: Ref }
  | { type: 'subtask.failed'; subtask: string; reason: string }
  /** The changes of a try that made nothing better are undone, or could not be. */
  | { type: 'attempt.reverted'; subtask: string; attempt: number; reverted: Restored }
  /** Its dependents go on with the result as it is; the evidence is owed. */
  | {
      type: 'remediation.queued';
      subtask: string;
      item: Remedy;
      released: boolean;
      dueInMs: number;
      expiresAt: number;
    }
  | ({ type: 'remediation.done'; how: 'confirmed' | 'pruned' } & RemedyFacts)
  | ({ type: 'remediation.failed'; reason: string } & RemedyFacts)
  | ({ type: 'remediation.expired'; reason: string } & RemedyFacts)
  | ({ type: 'remediation.dropped'; reason: string } & RemedyFacts)
  | ({ type: 'remediation.waived'; by: string | null } & RemedyFacts)
  /** All its tries are spent, save the one before the synthesis. */
  | { type: 'remediation.parked'; subtask: string }
  /** That one may begin. */
  | { type: 'remediation.last'; subtask: string }
  | { type: 'subtask.blocked'; subtask: string; reason: string; independent: number; waits: boolean }
  | { type: 'subtask.skipped'; subtask: string; reason: string }
  | { type: 'decision.opened'; decision: Decision }
  /** A model looks for better words for an escalation, and may spend this. */
  | { type: 'decision.phrasing'; decisionId: string; subtask: string; attempt: number; grant: Grant }
  /** Null: the words stay. What it used counts either way. */
  | {
      type: 'decision.phrased';
      decisionId: string;
      subtask: string;
      problem: string | null;
      used: ResourceUsage;
      models: ModelUse[];
    }
  /** A model learns from a subtask that has ended, and may spend this. */
  | { type: 'lesson.extracting'; subtask: string; extraction: Extraction }
  /** Empty: it found nothing that may be kept. The use counts either way. */
  | { type: 'lesson.learned'; subtask: string; lessons: LearnedLesson[]; used: ResourceUsage; models: ModelUse[] }
  /** `score`: the confidence in the result that was asked about. */
  | { type: 'decision.answered'; answer: DecisionAnswer; source: AnswerSource; updateId: string | null; score?: number }
  | { type: 'task.steered'; text: string; subtask?: string; by?: string }
  /** `who`: the name of the person, where it is known. */
  | { type: 'task.paused'; reason: string; by: 'person' | 'escalations'; who?: string }
  | { type: 'task.resumed'; who?: string }
  | { type: 'task.stalled'; reasons: string[] }
  /** A person chose to finish with what is done: nothing more is asked or paid for. */
  | { type: 'task.finishing'; by?: string }
  | { type: 'budget.warning'; key: BudgetKey; used: number; limit: number }
  | { type: 'budget.exhausted'; key: BudgetKey; used: number; limit: number }
  | { type: 'budget.raised'; key: BudgetKey; limit: number }
  | { type: 'message.refused'; message: string; reason: string }
  /** `code`: it ends as failed with this, not as cancelled. */
  | { type: 'task.cancelling'; reason: string; code?: ErrorCode }
  /** Attempts that had not stopped in time are left behind; their worker ends them when it hears of it. */
  | { type: 'task.cancel-forced'; running: string[]; waitedMs: number }
  | { type: 'task.ended'; state: EndState; reason: string; code?: string; summary?: TaskSummary };

/** The event with this type, or the events with these types. */
export type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

/** Counts and cost of a whole task, in its last event. */
export interface TaskSummary {
  /** `completed` includes `unchecked`: results that nothing checked. */
  subtasks: {
    total: number;
    completed: number;
    failed: number;
    blocked: number;
    skipped: number;
    unchecked: number;
  };
  attempts: number;
  /** Subtasks that were completed after more than one attempt. */
  recovered: number;
  /** Questions that were answered. */
  decisions: number;
  /** Lessons that the task learned. */
  lessons: number;
  tokens: number;
  modelCalls: number;
  /** Cost in US dollars; null where nobody knows it. */
  costUsd: number | null;
  /** The known part of a cost that is not known as a whole. */
  costKnownUsd?: number;
  /** Milliseconds from the start of the task. */
  ms: number;
}

/** Another plan, and why. */
export interface PlanRequest {
  reason: string;
  trigger: 'option' | 'stall' | 'steering';
  /** Those whose question was answered with `replan`: they wait for it. */
  subtasks: string[];
}

export type { Result };

/** An item of remediation, as events name it. */
export interface RemedyFacts {
  subtask: string;
  item: string;
  targets: string[];
  /** Tries that it had. */
  attempts: number;
}

type FailureName = { type: FailureType; category: FailureCategory; signature: string };

/** Facts that are shown of an event besides its sentence, by its type. A type that is absent is not shown. */
export interface EventFacts {
  'task.started': object;
  /** `transcriptRef`: the conversation with the model that made the plan, in the store. */
  'plan.ready': { subtasks: number; planVersion: number; transcriptRef?: string };
  'plan.degraded': { reasons: string[]; checked: boolean };
  'plan.suspended': { reason: string; waitMs: number; nth: number; most: number };
  'plan.resumed': object;
  'replan.failed': { reason: string };
  'plan.replaced': {
    planVersion: number;
    reason: string;
    added: string[];
    retargeted: string[];
    superseded: Superseded[];
    transcriptRef?: string;
  };
  'outcome.stale': { subtask: string; attempt: number; planVersion: number };
  'subtask.started': { subtask: string };
  'attempt.started': { subtask: string } & Pick<AttemptRecord, 'attempt' | 'rung' | 'tier' | 'thinking' | 'strategy'>;
  'attempt.suspended': {
    subtask: string;
    attempt: number;
    why: SuspendReason;
    phase: ResumePoint['phase'];
    waitMs: number | null;
  };
  'attempt.resumed': { subtask: string; attempt: number; why: SuspendReason };
  'tool.refused': { subtask: string; attempt: number; tool: string; why: string };
  'repository.changed': { subtask: string; attempt: number } & RepositoryChange;
  'attempt.rerun': { subtask: string; attempt: number; reason: 'crash'; reruns: number };
  verdict: { subtask: string; attempt: number; outcome: Judgement['outcome']; judgement?: Judgement };
  'attempt.passed': { subtask: string; attempt: number; verdict?: AttemptRecord['verdict'] };
  'attempt.failed': { subtask: string; attempt: number; failure: FailureName; code?: ErrorCode };
  'subtask.completed': { subtask: string; verdict: Verdict['outcome']; reused?: string };
  'subtask.requeued': { subtask: string; task: string; reason: string };
  'subtask.failed': { subtask: string; reason: string };
  'remediation.queued': RemedyFacts & {
    released: boolean;
    blocking: boolean;
    reasons: Remedy['reasons'];
    dueInMs: number;
    expiresAt: string;
  };
  'remediation.done': RemedyFacts & { how: 'confirmed' | 'pruned' };
  'remediation.failed': RemedyFacts & { reason: string };
  'remediation.expired': RemedyFacts & { reason: string };
  'remediation.waived': RemedyFacts & { by: string | null };
  'remediation.dropped': RemedyFacts & { reason: string };
  'subtask.blocked': { subtask: string; reason: string; independent: number };
  'subtask.skipped': { subtask: string; reason: string };
  'decision.opened': { subtask?: string; decision: Decision };
  'decision.phrased': { subtask: string; decisionId: string; problem: string };
  'lesson.learned': { subtask: string; lessons: { id: string; text: string; candidate?: true }[] };
  'decision.answered': {
    decisionId: string;
    option: OptionId;
    by: string | null;
    source: AnswerSource;
    score?: number;
    instruction?: string;
    value?: unknown;
  };
  'task.steered': { instruction: string; subtask?: string; who?: string };
  'task.paused': { reason: string; by: 'person' | 'escalations'; who?: string };
  'task.resumed': { who?: string };
  'task.stalled': { reasons: string[] };
  'budget.warning': { key: BudgetKey; used: number; limit: number };
  'budget.exhausted': { key: BudgetKey; used: number; limit: number };
  'message.refused': { message: string };
  'task.cancelling': { reason: string };
  'task.cancel-forced': { running: string[] };
  'task.ended': { state: EndState; code?: string; summary?: TaskSummary };
}

export type ShownEventType = keyof EventFacts;

/** An event as it is shown: one plain sentence, and its facts. */
export type ShownEvent = { [Type in ShownEventType]: { type: Type; text: string } & EventFacts[Type] }[ShownEventType];

/** An event as people and programs follow it. Numbers grow by one. */
export type LoggedEvent = ShownEvent & { id: number; time: string };
