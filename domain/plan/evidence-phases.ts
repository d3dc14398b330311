import { formatPath, quoteName, type PlanProblem } from '../input/problem.ts';
import { nearest } from '../text/nearest.ts';

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds phases of the evidence that name no subtask: nothing would be checked, and nobody would be told. */
export function findPhaseProblems(plan: unknown): PlanProblem[] {
  if (!isMap(plan) || !Array.isArray(plan['subtasks']) || !isMap(plan['evidence'])) return [];
  const { phases } = plan['evidence'];
  if (!Array.isArray(phases)) return [];
  const ids = plan['subtasks'].flatMap((subtask: unknown) =>
    isMap(subtask) && typeof subtask['id'] === 'string' ? [subtask['id'].normalize('NFC')] : [],
  );
  // An unreadable id may be the one that is named.
  if (ids.length < plan['subtasks'].length) return [];
  return phases.flatMap((phase: unknown, index): PlanProblem[] => {
    if (typeof phase !== 'string' || ids.includes(phase.normalize('NFC'))) return [];
    const near = nearest(phase, ids);
    const path = ['evidence', 'phases', index];
    return [
      {
        code: 'PLAN_WRONG_TYPE',
        message: `\`phases\` names ${quoteName(phase)}, which is not the id of a subtask${near === undefined ? '' : `; did you mean ${quoteName(near)}?`}${near === undefined ? '.' : ''}`,
        where: formatPath(path),
        hint: near === undefined ? 'Remove it, or add a subtask with that id.' : `Write ${quoteName(near)}.`,
        path,
      },
    ];
  });
}
