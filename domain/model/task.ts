import type { BudgetLimits } from './budget.ts';
import type { ProjectMemory } from './memory.ts';
import type { Reuse } from './reuse.ts';
import type { Approval, Rung, Subtask } from './subtask.ts';

/** The complete, immutable input of a task: what `prepareTask` returned is what the task obeys for ever. */
export interface Task {
  id: string;
  goal: string;
  project: string;
  /** Absolute, symlinks resolved. */
  workspace: string;
  host: string;
  /** Where the activities that need the workspace run. */
  hostQueue: string;
  approval: Approval;
  planApproval: boolean;
  maxParallelSubtasks: number;
  escalationPause: number;
  budget: BudgetLimits;
  ladder: Rung[];
  /** Milliseconds for one verify command, when the config says so. */
  verifyTimeout?: number;
  subtasks: Subtask[];
  /** Finished work of an earlier task that this one takes over. */
  reuse?: Reuse;
  /** What the project knew when the task started. */
  memory?: Pick<ProjectMemory, 'signatures' | 'answers'>;
  /** Search attributes that the server has with the right type; only these are written. */
  searchAttributes: string[];
}
