import { limits } from '../limits.ts';
import type { TaskState } from './state.ts';

/** New plans that the task may still have. */
export const replansLeft = ({ budget, used }: Pick<TaskState, 'budget' | 'used'>): number =>
  (budget.replans ?? limits.replans) - (used.replans ?? 0);

/** Whether another plan can be asked for: there is a planner, and the task has not had all its plans. */
export const mayReplan = (state: TaskState): boolean => state.setting?.planner !== undefined && replansLeft(state) > 0;
