import type { Endpoint } from './service.ts';

/** The variables that a command hands over to a task, where the worker of the task may share the home of the command. */
export interface VariablesPort {
  /**
   * Keeps the values that these variables have here, for a task that is about to be started. Resolves to a function that takes them back,
   * for a task that was not started.
   */
  handOverVariables(endpoint: Endpoint, task: string, names: readonly string[]): Promise<() => void>;
  /** Keeps the values of the task's variables that are set here, before an answer is sent. */
  refreshVariables(endpoint: Endpoint, task: string): Promise<void>;
  /** Removes what was kept for a task that has ended. */
  forgetVariables(endpoint: Endpoint, task: string): Promise<void>;
}
