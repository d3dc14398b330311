import { isGateSignature } from '../gates/findings/standing-signature.ts';
import { limits } from '../limits/domain-limits.ts';
import type { AgentInput, TaskBrief } from '../types/agent.ts';
import { getOwn } from '../util/own-property.ts';
import { nothingUsed } from '../llm/usage.ts';
import { recordOf, rowOf, rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import type { Attempt } from './begin-attempt.ts';

/** The part of an execution's input that only agents get. */
export function buildAgentInput(state: TaskState, id: string, { grant, reply, step }: Attempt): AgentInput {
  return {
    grant,
    resume: reply,
    spent: recordOf(state, id)?.used ?? nothingUsed,
    brief: buildTaskBrief(state, id),
    ...(state.control.steering.length === 0 ? {} : { steered: state.control.steering.length }),
    outputFactor: step.output ?? 1,
    ...allowedIn(state),
  };
}

/** Actions that people allowed for good, before this task or in it: the newest. */
function allowedIn({ decisions: { standing } }: TaskState): Pick<AgentInput, 'allowed'> {
  const allowed = Object.keys(standing).filter(
    (signature) => isGateSignature(signature) && standing[signature]?.option === 'approve',
  );
  return allowed.length === 0 ? {} : { allowed: allowed.slice(-limits.asked.allowed) };
}

/** Near subtasks come first: a large plan is not shown as a whole. */
export function buildTaskBrief(state: TaskState, id: string): TaskBrief {
  const counts: TaskBrief['counts'] = {};
  const near = new Set([id, ...rowOf(state, id).dependsOn, ...(getOwn(state.plan.dependents, id) ?? [])]);
  for (const row of rowsOf(state)) {
    const status = statusOf(subtaskOf(state, row.id));
    counts[status] = (counts[status] ?? 0) + 1;
    if (near.size < limits.briefSubtasks) near.add(row.id);
  }
  const subtasks = [...near]
    .slice(0, limits.briefSubtasks)
    .map((one) => ({ id: one, status: statusOf(subtaskOf(state, one)) }));
  return { counts, subtasks };
}
