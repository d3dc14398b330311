import type { BudgetLimits } from './basic/budget.ts';
import type { LessonSettings } from './basic/lessons.ts';
import type { ProjectMemory } from './basic/memory.ts';
import type { PackedPlan } from './plan.ts';
import type { PlanningRules, PlanPreview } from './planner.ts';
import type { ProcessView } from './process.ts';
import type { Ref } from './basic/ref.ts';
import type { Reuse } from './reuse.ts';
import type { ApprovalPolicy, Rung } from './subtask.ts';
import type { TaskLimits } from '../limits/task-limits.ts';

/** Settings that a task obeys for ever: a deploy or a change of config never changes a running task. Its plan may be replaced, its settings not. */
export interface TaskSettings {
  id: string;
  goal: string;
  project: string;
  /** The folder as an absolute path, symlinks resolved. */
  workspace: string;
  host: string;
  /** The task queue of the activities that need the workspace. */
  hostQueue: string;
  approval: ApprovalPolicy;
  planApproval: boolean;
  /** Nobody is asked about results of a model's plan that nothing checked. */
  allowUnchecked?: true;
  /** The file for the records of all subtasks that name no other, at the end of a task that owes evidence. */
  ledger?: string;
  maxParallelSubtasks: number;
  escalationPause: number;
  budget: BudgetLimits;
  /** The spending limit of a goal that sets none: it counts what has a price. `unpriced` names the models that have none. */
  goalLimit?: { costUsd: number; unpriced: string[] };
  /** A limit ends the task; else a person is asked. */
  onExhausted?: 'stop';
  ladder: Rung[];
  /** Time limit of one verify command, in milliseconds, when the config sets it. */
  verifyTimeout?: number;
  /** Limits that the config changed. */
  limits?: Partial<TaskLimits>;
  /** The project's memory when the task started, bounded. */
  memory?: Pick<ProjectMemory, 'signatures' | 'answers'>;
  /** The project's lessons when the task started, where it has any or may learn some. */
  lessons?: LessonSettings;
  /** It came without subtasks: a model is asked for them. */
  planning?: PlanningRules;
  /** A `PlanBrief` in the store, where a model or a person may give another plan. */
  brief?: Ref;
  /** One model does the work of all agents: a higher tier is no stronger model. */
  oneModel?: true;
  /** A model serves the role `planner`: the plan can be replaced, in so many tries for each new one. */
  planner?: Pick<PlanningRules, 'tries'>;
  /** The process that the task follows; `definition`: its content, in the store. `degraded`: why no planner filled its phases. */
  process?: ProcessView & { definition: Ref; degraded?: string };
  /** Search attributes that the server has with the right type; only these are written. */
  searchAttributes: string[];
}

/** The result of `prepareTask`: its size is bounded, so that a plan of any size that is accepted also runs. */
export interface Prepared {
  settings: TaskSettings;
  plan: PackedPlan;
  /** Finished work of an earlier task that this one takes over. */
  reuse: Reuse | null;
  /** The plan for people, where a task was started for it and no model is asked. */
  preview?: PlanPreview;
}
