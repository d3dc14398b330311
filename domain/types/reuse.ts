import type { Verdict } from './attempt.ts';
import type { Ref } from './basic/ref.ts';

/** A subtask that an earlier task completed, with what its dependents need. */
export interface FinishedSubtask {
  id: string;
  verdict: Exclude<Verdict['outcome'], 'fail'>;
  /** The `DependencyResult` in the store. */
  result: Ref;
  /** The page of its evidence, where it has any. */
  evidence?: Ref;
}

/** The task and subtask that left files behind, and whether it worked in the workspace, where snapshots show it. */
export interface LeftBy {
  task: string;
  subtask: string;
  here: boolean;
}

/** A path that is not as it was left; null when everything is; `unknown` when no snapshots tell. */
export type LeftState = { changed: string | null } | { unknown: true };

/** Finished work that a new run takes over from an earlier task. */
export interface Reuse {
  task: string;
  /** Tasks that the earlier one continued, oldest first. */
  earlier?: string[];
  subtasks: FinishedSubtask[];
  /** Evidence of subtasks that run again. */
  evidence?: { id: string; page: Ref }[];
  /** The plan that a model made of the goal, in the store. */
  plan?: Ref;
}

/** Input of the activity `recheckSubtask`. */
export interface RecheckInput {
  taskId: string;
  subtaskId: string;
  /** The first run id of the workflow's chain. */
  chain: string;
  /** The page of the plan that holds the definition. */
  plan: Ref;
  workspace: string;
  /** Time limit of one verify command, in milliseconds; the worker's own when absent. */
  commandTimeout?: number;
}

/** Output of the first verify command that failed; null when all passed. */
export interface Recheck {
  failed: string | null;
}
