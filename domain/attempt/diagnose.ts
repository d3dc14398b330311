import type { Grant } from '../types/agent.ts';
import type { Diagnosed } from '../types/planner.ts';
import { grantFor, spends } from '../schedule/grants.ts';
import { rowOf, subtaskOf } from '../task/read-state.ts';
import { grantOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { resolveLadder } from '../task/read-state.ts';
import type { Attempt } from './begin-attempt.ts';
import type { RunningTask } from '../task/running-task.ts';

/*
 * Before the first attempt on the last rung a model looks at the failures, once for a subtask as the plan has it. It helps where it can: without a
 * model, a budget or an answer the attempt begins without it.
 */

/** The grant of the model; null: the attempt begins without it. */
export function beginDiagnosis(task: RunningTask, id: string, begun: Attempt): Grant | null {
  const { state } = task;
  if (!isWanted(state, id, begun)) return null;
  const isShared = rowOf(state, id).call.spends === true;
  const grant = isShared ? pickCallBudgets(begun.grant) : grantFor(state, id, 'judge');
  // Subtasks that begin beside it have counted on the free budget.
  const others = [...state.queue.ready, ...state.queue.delayed];
  if (!isShared && grant !== null && Object.keys(grant).length > 0 && others.some((other) => spends(state, other)))
    return null;
  // An agent must have something to begin with.
  if (grant === null || (isShared && grant.modelCalls === 1)) return null;
  const given = isShared || Object.keys(grant).length === 0 ? {} : { grant };
  task.record({ type: 'attempt.diagnosing', subtask: id, ...given });
  return grant;
}

function isWanted(state: TaskState, id: string, { resumeFrom, reply }: Attempt): boolean {
  const { climb, failures, diagnosis } = subtaskOf(state, id);
  const { steps } = resolveLadder(state, id);
  if (state.plan.settings?.planner === undefined || diagnosis !== undefined || failures.length === 0) return false;
  const isFresh = resumeFrom.phase === 'execute' && resumeFrom.checkpoint === null && reply === null;
  return isFresh && steps.length > 1 && climb.step === steps.length - 1;
}

/** Those of its keys that a call without tools spends. */
function pickCallBudgets({ modelCalls, tokens, costUsd }: Grant): Grant {
  return {
    ...(modelCalls === undefined ? {} : { modelCalls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Takes the model's diagnosis. An agent spends the rest of their common grant. */
export function takeDiagnosed(
  task: RunningTask,
  id: string,
  begun: Attempt,
  { diagnosis, used, models }: Diagnosed,
): Attempt {
  task.record({ type: 'attempt.diagnosed', subtask: id, diagnosis, used, models });
  const grant = grantOf(subtaskOf(task.state, id)) ?? begun.grant;
  return { ...begun, grant };
}
