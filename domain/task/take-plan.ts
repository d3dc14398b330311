import type { TaskEvent } from '../model/events.ts';
import type { PlanRow } from '../model/plan.ts';
import { isOptionId } from '../decisions/kinds.ts';
import { ownOf, setOwn } from '../own.ts';
import { firstClimb } from '../recovery/ladder.ts';
import type { SubtaskState, TaskState } from './state.ts';

/** The task has its setting and its plan: everything that depends on nothing is ready. */
export function takePlan(state: TaskState, { setting, plan }: TaskEvent & { type: 'plan.ready' }): void {
  state.setting = setting;
  state.plan = plan;
  state.budget = { ...setting.budget };
  for (const { signature, option, instruction, by } of setting.memory?.answers ?? []) {
    // An answer of a later version that this one does not know is as good as none.
    if (!isOptionId(option)) continue;
    setOwn(state.standing, signature, {
      option,
      ...(instruction === undefined ? {} : { instruction }),
      ...(by === undefined ? {} : { by }),
    });
  }
  state.phase = 'running';
  for (const [index, row] of plan.rows.entries()) {
    setOwn(state.subtasks, row.id, newSubtask(row));
    setOwn(state.index, row.id, index);
    setOwn(state.dependents, row.id, []);
  }
  for (const row of plan.rows) {
    for (const dependency of row.dependsOn) ownOf(state.dependents, dependency)?.push(row.id);
    if (row.dependsOn.length === 0) state.ready.push(row.id);
    state.open += 1;
    if (!row.synthesis) state.openNormal += 1;
  }
}

function newSubtask(row: PlanRow): SubtaskState {
  return {
    id: row.id,
    status: 'pending',
    waitsFor: row.dependsOn.length,
    climb: firstClimb(row.maxAttempts),
    suspended: null,
    notBefore: null,
    environmentWaits: 0,
    guidance: [],
    hint: null,
    strategy: 'first',
    decision: null,
    decisions: 0,
    verdict: null,
    result: null,
    failures: [],
    met: [],
    failed: {},
    spent: { attempts: 0, costUsd: 0, ms: 0 },
    reason: null,
    startedAt: null,
    endedAt: null,
  };
}
