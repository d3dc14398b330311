import type { Plan } from '../domain/types/plan.ts';
import type { TaskSettings } from '../domain/types/task-settings.ts';

/** The work of a bare workflow: subtasks by id and by the pages of the plan, and the row that all of them have in common. */
export interface BareInput {
  setting: TaskSettings;
  row: Plan['rows'][number];
  subtasks: string[];
  pages: Plan['pages'];
  /** How many run at once; 1 is a chain. */
  parallel: number;
}

export interface BareDecisionsInput extends BareInput {
  /** How many answers it waits for. */
  count: number;
  /** True where it says in a search attribute that it waits, so that people find it. */
  findable: boolean;
}

export const bareUpdate = 'answer';
