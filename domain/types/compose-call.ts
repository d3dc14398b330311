import type { ShownLesson } from './basic/lessons.ts';
import type { DependencyResult, ExecuteInput } from './attempt.ts';

/** Input of the activity `composeCall`. */
export type ComposeInput = Pick<ExecuteInput, 'taskId' | 'subtaskId' | 'plan' | 'attempt' | 'context' | 'inputs'>;

/** Input for an executor that cannot read our store. */
export interface ComposedCall {
  prompt: string;
  inputs: DependencyResult[];
  /** Size of both as JSON. */
  bytes: number;
  /** Lessons that the prompt shows. */
  lessons?: ShownLesson[];
}

/** Needs the store of the task's host and runs on its queue. */
export interface ComposeActivities {
  composeCall: (input: ComposeInput) => Promise<ComposedCall>;
}
