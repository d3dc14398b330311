import type { DependencyResult, Verdict } from './attempt.ts';

/** A subtask that an earlier task completed, with what its dependents need. */
export interface FinishedSubtask {
  id: string;
  verdict: Exclude<Verdict['outcome'], 'fail'>;
  result: DependencyResult;
}

/** Finished work that a new run takes over from an earlier task. */
export interface Reuse {
  task: string;
  subtasks: FinishedSubtask[];
}
