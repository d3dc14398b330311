import { lookingTools } from '../executors/agent.ts';
import type { Executor, Subtask } from '../types/subtask.ts';

type Checked = Pick<
  Subtask,
  'deliverables' | 'verify' | 'requiredSections' | 'rules' | 'diff' | 'criteria' | 'verification'
>;

/** Whether the plan itself says how a result of the subtask is looked at. Criteria count only where a judge reads them. */
export function hasCheck(subtask: Checked): boolean {
  const { deliverables, verify, requiredSections, rules, diff, criteria, verification } = subtask;
  const lists: readonly (readonly unknown[])[] = [deliverables, verify, requiredSections, rules];
  return diff || lists.some((list) => list.length > 0) || (verification !== undefined && criteria.length > 0);
}

const looking: ReadonlySet<string> = new Set(lookingTools);

/** Whether the executor has no tool that changes something: an agent whose tools all read. A program may do anything. */
export const onlyReads = (executor: Executor): boolean =>
  executor.kind === 'agent' && executor.tools.every((tool) => looking.has(tool));
