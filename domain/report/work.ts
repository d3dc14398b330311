import type { AttemptView } from '../types/attempt-view.ts';
import type { Judgement } from '../types/judgement.ts';
import type { StatusView, SubtaskView } from '../views/task-status.ts';
import { attemptsBySubtask } from './attempts.ts';

/** One check of a result, and how it ended. */
export interface WorkCheck {
  name: string;
  passed: boolean;
  /** The last lines of a command's output, or the reason of the judges; empty where there is none. */
  summary: string;
}

/** The end of one subtask: the executor's own report, and the checks of its last attempt. */
export interface SubtaskWork {
  id: string;
  state: SubtaskView['state'];
  verdict: string | null;
  /** The notes of the completion contract; empty where the executor gave none, or the result was not accepted. */
  notes: string;
  /** Why the subtask did not complete; null where it did. */
  reason: string | null;
  checks: WorkCheck[];
}

/** Lists the subtasks that were tried or did not complete, in the order of the plan. */
export function listWork({ subtasks }: StatusView, records: readonly AttemptView[]): SubtaskWork[] {
  const groups = attemptsBySubtask(records);
  return subtasks.flatMap((subtask) => {
    const { id, state, verdict } = subtask;
    const own = groups.get(id) ?? [];
    if (own.length === 0 && !isLost(state)) return [];
    const accepted = state === 'completed' ? own.findLast(({ outcome }) => outcome === 'passed') : undefined;
    const last = accepted ?? own.at(-1);
    return [
      {
        id,
        state,
        verdict,
        notes: accepted?.summary ?? '',
        reason: state === 'completed' ? null : (subtask.reason ?? failureOf(last)),
        checks: last === undefined ? [] : listChecks(last),
      },
    ];
  });
}

/** It did not complete and never will, whether or not it was tried. */
const isLost = (state: SubtaskView['state']): boolean =>
  state === 'failed' || state === 'blocked' || state === 'skipped';

const failureOf = (record: AttemptView | undefined): string | null =>
  record?.outcome === 'failed' ? record.summary : null;

/** An answer that could not be read is no pass. */
const checkOfJudges = ({ outcome, reasonCode }: Judgement): WorkCheck => ({
  name: 'judges',
  passed: outcome !== 'fail' && reasonCode !== 'verifier-unreadable',
  summary: reasonCode ?? '',
});

function listChecks({ verify, judgement, verdict, outcome }: AttemptView): WorkCheck[] {
  const checks = verify.map(({ command, name, exit, summary }) => ({
    name: name ?? command,
    passed: exit === 0,
    summary,
  }));
  if (judgement !== undefined) checks.push(checkOfJudges(judgement));
  const isChecked = outcome === 'passed' && verdict !== null && verdict !== 'unchecked';
  if (checks.length > 0 || !isChecked) return checks;
  return [{ name: 'deliverables, sections and rules of the plan', passed: true, summary: '' }];
}
