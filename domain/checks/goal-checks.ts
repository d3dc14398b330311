import type { Rung, Subtask } from '../types/subtask.ts';
import type { Plan, PlannedSubtask } from '../schema/plan-schema.ts';

/*
 * Verify commands of the task's end, which a plan names in `verify`. A synthesis runs behind everything else and is checked with them. A plan
 * without one gets a subtask of its own, which does nothing and is checked. It is a synthesis too: whatever a new plan adds runs before it.
 */

const name = 'verify-goal';

/** What the subtask runs: it prints a line, so that its result is not empty where a person took its commands away. */
const nothing = ['echo', 'Nothing runs here but the verify commands of the goal.'];

/** A plan whose end is checked as it says. `ladder`: of the task, which says whether a person can be asked. */
export function addGoalChecks(plan: Plan, ladder: readonly Pick<Rung, 'person'>[]): { plan: Plan; added?: string } {
  const { verify = [], subtasks } = plan;
  if (verify.length === 0 || subtasks.length === 0) return { plan };
  if (subtasks.some(({ synthesis }) => synthesis === true))
    return { plan: { ...plan, subtasks: subtasks.map((subtask) => withCommands(subtask, verify)) } };
  const id = freeId(new Set(subtasks.map((subtask) => subtask.id)));
  const mayAsk = ladder.some(({ person }) => person);
  const last: PlannedSubtask = {
    id,
    description: 'Check the result of all subtasks with the verify commands of the goal.',
    executor: { kind: 'command', run: nothing },
    verify: [...new Set(verify)],
    verification: 1,
    synthesis: true,
    // Nothing would be different in a second attempt: somebody has to change something first.
    ladder: [{ tier: 'assigned' }, ...(mayAsk ? [{ person: true }] : [])],
  };
  return { plan: { ...plan, subtasks: [...subtasks, last] }, added: id };
}

function withCommands(subtask: PlannedSubtask, commands: readonly string[]): PlannedSubtask {
  if (subtask.synthesis !== true) return subtask;
  return { ...subtask, verify: [...new Set([...(subtask.verify ?? []), ...commands])] };
}

function freeId(taken: ReadonlySet<string>): string {
  let id = name;
  for (let number = 2; taken.has(id); number += 1) id = `${name}-${number}`;
  return id;
}

/** Marks the subtask that was added, so that no model changes it and no plan file repeats it. */
export const markGoalCheck = (subtasks: readonly Subtask[], added: string | undefined): Subtask[] =>
  subtasks.map((subtask) => (subtask.id === added ? { ...subtask, goalCheck: true } : subtask));
