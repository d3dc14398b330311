import type { Rung, Subtask } from '../types/subtask.ts';
import type { CheckedPlan, PlannedSubtask } from '../schema/plan-schema.ts';
import { mergeChecks, type PlannedCheck } from './named-checks.ts';

/*
 * Verify commands for the end of the task, which a plan names in `verify`. A synthesis runs after everything else and is checked with them.
 * A plan without one gets a subtask that does nothing and is checked. It is a synthesis too, so that subtasks of a new plan run before it.
 */

const name = 'verify-goal';

/** The subtask's command: it prints a line, so that its result is not empty after a person removed its checks. */
const nothing = ['echo', 'This subtask only runs the verify commands of the goal.'];

/** Adds the checks of the goal to a plan. `ladder` is the task's own, which decides if a person can be asked. */
export function addGoalChecks(
  plan: CheckedPlan,
  ladder: readonly Pick<Rung, 'person'>[],
): { plan: CheckedPlan; added?: string } {
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
    verify: mergeChecks(verify),
    verification: 1,
    synthesis: true,
    // A second attempt would not differ: a person has to change something first.
    ladder: [{ tier: 'assigned' }, ...(mayAsk ? [{ person: true }] : [])],
  };
  return { plan: { ...plan, subtasks: [...subtasks, last] }, added: id };
}

function withCommands(subtask: PlannedSubtask, checks: readonly PlannedCheck[]): PlannedSubtask {
  if (subtask.synthesis !== true) return subtask;
  return { ...subtask, verify: mergeChecks(subtask.verify, checks) };
}

function freeId(taken: ReadonlySet<string>): string {
  let id = name;
  for (let number = 2; taken.has(id); number += 1) id = `${name}-${number}`;
  return id;
}

/** Marks the added subtask, so that no model changes it and no plan file repeats it. */
export const markGoalCheck = (subtasks: readonly Subtask[], added: string | undefined): Subtask[] =>
  subtasks.map((subtask) => (subtask.id === added ? { ...subtask, goalCheck: true } : subtask));
