import type { DependencyResult, ExecuteInput } from './attempt.ts';

/** Input of the activity `composeCall`. */
export type ComposeInput = Pick<ExecuteInput, 'taskId' | 'subtaskId' | 'plan' | 'attempt' | 'context' | 'inputs'>;

/** What an executor is told that cannot read our store. */
export interface ComposedCall {
  prompt: string;
  inputs: DependencyResult[];
  /** Of both as JSON. */
  bytes: number;
}

/** Needs the store of the task's host and runs on its queue. */
export interface ComposeActivities {
  composeCall: (input: ComposeInput) => Promise<ComposedCall>;
}
