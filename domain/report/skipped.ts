import type { AttemptView } from '../types/attempt-view.ts';
import type { StatusView } from '../views/task-status.ts';

/** A skipped subtask, and the effect on its direct dependents. */
export interface SkippedSubtask {
  id: string;
  reason: string | null;
  at: string | null;
  impact: {
    /** Dependents that ran and were told that the result is missing. */
    told: string[];
    /** Dependents that will be told when they run. */
    willBeTold: string[];
    /** Dependents that did not run either. */
    notRun: string[];
  };
}

export function listSkipped(status: StatusView, records: readonly AttemptView[]): SkippedSubtask[] {
  const ran = new Set(records.map(({ subtask }) => subtask));
  const dependents = new Map<string, StatusView['subtasks']>();
  for (const subtask of status.subtasks)
    for (const id of subtask.dependsOn)
      dependents
        .set(id, dependents.get(id) ?? [])
        .get(id)
        ?.push(subtask);
  return status.subtasks
    .filter(({ state }) => state === 'skipped')
    .map(({ id, reason, endedAt }) => {
      const impact: SkippedSubtask['impact'] = { told: [], willBeTold: [], notRun: [] };
      for (const dependent of dependents.get(id) ?? []) {
        if (ran.has(dependent.id)) impact.told.push(dependent.id);
        else if (dependent.endedAt !== null || status.endedAt !== null) impact.notRun.push(dependent.id);
        else impact.willBeTold.push(dependent.id);
      }
      return { id, reason, at: endedAt, impact };
    });
}
