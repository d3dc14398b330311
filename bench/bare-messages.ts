import type { Task } from '../domain/model/task.ts';
import type { CommandExecutor, Executor } from '../domain/model/subtask.ts';

/** What a bare workflow is told to do: the list of its subtasks, and what all of them have in common. */
export interface BareInput {
  template: Task;
  subtasks: { id: string; description: string; dependsOn: string[] }[];
  /** How many run at once; 1 is a chain. */
  parallel: number;
  /** What follows the description; with it the prompt is as long as Heddle's. */
  prompt: string;
}

export interface BareDecisionsInput {
  template: Task;
  executor: CommandExecutor;
  count: number;
  prompt: string;
}

export const bareUpdate = 'answer';

export const isCommand = (executor: Executor): executor is CommandExecutor => executor.kind === 'command';
