import { isTable } from '../input/is-table.ts';
import { clip } from '../text/text.ts';

/** Longest name of a process that stands for a goal. */
const longestName = 60;

/** Says what a task is for: its goal, else the process that brings one. */
export function formatGoal(plan: unknown): string {
  const { goal, process } = isTable(plan) ? plan : {};
  if (typeof goal === 'string' && goal.trim() !== '') return goal;
  if (process === undefined) return 'a task without a goal';
  const name = isTable(process) ? process['name'] : process;
  return typeof name === 'string' && name.trim() !== '' ? `Process ${clip(name, longestName)}` : 'A process';
}
