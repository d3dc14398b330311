import { rowsOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { LedgerInput } from '../types/basic/evidence.ts';

/** Lists the ledgers that a task writes at its end, each with the evidence that goes into it; empty where no evidence is owed. */
export function listLedgers(state: TaskState): LedgerInput[] {
  const shared = state.plan.settings?.ledger;
  const ledgers = new Map<string, LedgerInput>();
  for (const { id, evidence: row } of rowsOf(state)) {
    const subtask = subtaskOf(state, id);
    const path = row === undefined ? shared : row.ledger;
    if (path === undefined || path === false || subtask.evidence === undefined) continue;
    const ledger = ledgers.get(path) ?? { path, subtasks: [] };
    ledgers.set(path, ledger);
    ledger.subtasks.push({ subtask: id, page: subtask.evidence, completed: statusOf(subtask) === 'completed' });
  }
  return [...ledgers.values()];
}
