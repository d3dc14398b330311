import type { Grant, GrantKey } from './agent.ts';
import type { AttemptKey, Diagnosis, PastFailure } from './attempt.ts';
import type { SpentBefore } from './judgement.ts';
import type { LessonContext } from './basic/lessons.ts';
import type { PackedPlan, PlanChanges, PlanSoFar } from './plan.ts';
import type { Ref } from './basic/ref.ts';

/** The rule for a goal that no model could plan: one subtask for all of it, the same once a person agrees, or nothing. */
export type DegradedMode = 'allow' | 'require-approval' | 'deny';

/** The command with which a project tests itself, and the file that says so. */
export interface ProjectTest {
  command: string;
  file: string;
  /** The folder is not trusted: a person says first whether the command may run. */
  asksFirst?: true;
}

/** Rules by which a goal alone is planned. */
export interface PlanningRules {
  degraded: DegradedMode;
  tries: number;
  /** The whole goal as one subtask would be checked. */
  isChecked?: true;
  /** The project's own test, where that was looked for. */
  projectTest?: ProjectTest;
}

/** The source of a plan: a model that is asked, the whole goal as one subtask, a person who gives it, or a model that changes the one that runs. */
export type PlanSource =
  | { from: 'model' }
  | { from: 'goal' }
  | { from: 'person'; plan: unknown }
  | { from: 'replan'; have: PlanSoFar };

/** Input of the activity `planTask`. */
export interface PlanTaskInput {
  taskId: string;
  /** Run id of the first run of the task: claims are kept under both ids. */
  chain: string;
  /** A `PlanBrief`, in the store. */
  brief: Ref;
  workspace: string;
  source: PlanSource;
  /** Version of the plan that it gives. */
  version: number;
  /** Number of the conversation with the model that plans, from 1. */
  round: number;
  /** Feedback of people on the plans before. */
  feedback: string[];
  tries: number;
  /** The grant of all rounds together. */
  grant: Grant;
  /** The source of the lessons in the prompt; absent where the project has none. */
  lessons?: LessonContext;
}

/** Input of the activity `diagnoseFailure`. */
export interface DiagnoseInput extends Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt' | 'chain'> {
  /** The page of the plan that has the subtask. */
  plan: Ref;
  /** A `PlanBrief`, in the store. */
  brief: Ref;
  /** Failed attempts, oldest first. */
  failures: PastFailure[];
  grant: Grant;
}

/** A model's diagnosis, if it has one, and its use. */
export interface Diagnosed extends SpentBefore {
  diagnosis: Diagnosis | null;
}

/** Input of the activity `phraseEscalation`. */
export interface RewordingInput extends DiagnoseInput {
  /** The text that the person reads as long as no model has found a better one. */
  problem: string;
}

/** A model's text for the person; null: none that may be shown. */
export interface RewordingResult extends SpentBefore {
  problem: string | null;
}

/** A plan before it runs. The numbers are a guess: what agents take is known when they are done. */
export interface PlanPreview {
  /** The executor of subtasks that name none, where the config names none. */
  executor?: unknown;
  subtasks: unknown[];
  estimate: { costUsd: number; tokens: number; unpriced?: string[] };
}

/** The outcome of `planTask`. Its use is that of all planning of the task. */
export type PlanTaskOutcome =
  | ({
      kind: 'planned';
      plan: PackedPlan;
      /** The plan as a plan file has it, and its estimated cost. */
      shown: PlanPreview;
    } & SpentBefore)
  /** Every subtask of the plan so far has its old place. */
  | ({ kind: 'replanned'; plan: PackedPlan; changes: PlanChanges } & SpentBefore)
  /** None of the tries gave a plan that can be used. `problems` are those of the last one; `lacks`: budgets of which nothing is left for another. */
  | ({
      kind: 'not-made';
      problems: string[];
      lacks?: GrantKey[];
      refusal?: PlannerRefusal;
      outage?: PlannerOutage;
    } & SpentBefore);

/** The model that plans gave no answer, for a reason that may pass: its conversation continues after a wait. */
export interface PlannerOutage {
  /** A sentence about what happened. */
  why: string;
  category: 'transient' | 'environment';
  /** Milliseconds that its provider asks to wait. */
  retryAfter?: number;
}

/** Only a person can help: the model that plans does not take the credentials. */
export interface PlannerRefusal {
  type: 'auth' | 'permission' | 'subscription';
  /** A sentence about what happened. */
  why: string;
  model: string;
  provider: string;
  /** The variable that holds the key. */
  variable?: string;
}
