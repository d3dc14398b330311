import { readOnlyTools } from '../executors/agent.ts';
import type { Executor, Subtask } from '../types/subtask.ts';

type Checked = Pick<
  Subtask,
  'deliverables' | 'verify' | 'requiredSections' | 'rules' | 'diff' | 'criteria' | 'verification'
>;

/** Decides if the plan itself checks the result of the subtask. Criteria count only where a judge reads them. */
export function hasCheck(subtask: Checked): boolean {
  const { deliverables, verify, requiredSections, rules, diff, criteria, verification } = subtask;
  const lists: readonly (readonly unknown[])[] = [deliverables, verify, requiredSections, rules];
  return diff || lists.some((list) => list.length > 0) || (verification !== undefined && criteria.length > 0);
}

const readOnlyNames: ReadonlySet<string> = new Set(readOnlyTools);

/** Recognises an agent whose tools only read. A program may do anything. */
export const isReadOnlyExecutor = (executor: Executor): boolean =>
  executor.kind === 'agent' &&
  (executor.foreign ?? []).length === 0 &&
  executor.tools.every((tool) => readOnlyNames.has(tool));
