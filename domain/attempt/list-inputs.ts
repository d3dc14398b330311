import { limits } from '../limits/domain-limits.ts';
import { rowOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { passedOf, reasonOf } from '../task/subtask-phase.ts';
import { clip } from '../text/text.ts';
import type { InputRef } from '../types/attempt.ts';

/** Results of dependencies. A skipped one is shown as missing, never left out silently. */
export function listInputs(state: TaskState, id: string): InputRef[] {
  return rowOf(state, id).dependsOn.map((dependency) => {
    const subtask = subtaskOf(state, dependency);
    const result = passedOf(subtask)?.result ?? (subtask.released === true ? subtask.remedy?.result : undefined);
    return result === undefined
      ? { id: dependency, status: 'skipped', notes: clip(reasonOf(subtask) ?? '', limits.summary), result: null }
      : {
          id: dependency,
          status: result.status,
          notes: '',
          result: result.ref,
          ...(subtask.evidence === undefined ? {} : { evidence: subtask.evidence }),
        };
  });
}
