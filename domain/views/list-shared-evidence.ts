import { evidenceLimits } from '../evidence/limits.ts';
import { rowOf, rowsOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { InheritedPage } from '../types/basic/evidence.ts';
import { hasEnded } from '../types/subtask.ts';

/**
 * Lists the evidence of the subtasks that meet targets of the task together with this one, where it is the last of them to be checked.
 * Undefined where another one will be checked later. `checking`: those that are checked now, and so have all their records.
 */
export function listSharedEvidence(
  state: TaskState,
  id: string,
  checking: ReadonlySet<string>,
): InheritedPage[] | undefined {
  if (rowOf(state, id).evidence?.shared !== true) return undefined;
  const pages: InheritedPage[] = [];
  for (const row of rowsOf(state)) {
    if (row.evidence?.shared !== true || row.id === id) continue;
    const subtask = subtaskOf(state, row.id);
    if (!hasEnded(statusOf(subtask)) && !checking.has(row.id)) return undefined;
    if (subtask.evidence !== undefined) pages.push({ subtask: row.id, page: subtask.evidence });
  }
  return pages;
}

/** Lists the evidence of all other subtasks, those that it depends on first: a remediation try is told what the whole task knows. */
export function listKnownEvidence(state: TaskState, id: string): InheritedPage[] {
  const near = new Set(rowOf(state, id).dependsOn);
  const pages = rowsOf(state).flatMap((row): InheritedPage[] => {
    const { evidence: page } = subtaskOf(state, row.id);
    return page === undefined || row.id === id ? [] : [{ subtask: row.id, page }];
  });
  const ranked = [
    ...pages.filter(({ subtask }) => near.has(subtask)),
    ...pages.filter(({ subtask }) => !near.has(subtask)),
  ];
  return ranked.slice(0, evidenceLimits.inherited);
}
