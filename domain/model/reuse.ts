import type { Verdict } from './attempt.ts';
import type { Ref } from './ref.ts';

/** A subtask that an earlier task completed, with what its dependents need. */
export interface FinishedSubtask {
  id: string;
  verdict: Exclude<Verdict['outcome'], 'fail'>;
  /** The `DependencyResult` in the store. */
  result: Ref;
}

/** Finished work that a new run takes over from an earlier task. */
export interface Reuse {
  task: string;
  subtasks: FinishedSubtask[];
  /** The plan that a model made of the goal, in the store. */
  plan?: Ref;
}
