import type { PlanInput } from '../../client/index.ts';
import { failsOnceName, taskQueue } from '../names.ts';

/** Subtasks that run at once. */
const parallel = 10;

/** Asks a person after its first attempt. */
const asks = { kind: 'command' as const, run: ['sh', '-c', '[ "$HEDDLE_ATTEMPT" != 1 ] || exit 77; echo done'] };

/** The questions in the order in which they come: at each of them nothing runs, so that the task goes on in a new run. */
export const questions = ['middle-1', 'end-1'] as const;

/** Attempts of the whole task: everything is tried twice. */
export const attemptsOf = (count: number): number => 2 * count;

/** So many subtasks that fail once each, and of them one that asks after each half. */
export function sizePlan(count: number, workspace: string): PlanInput {
  const ids = Array.from({ length: count - questions.length }, (_, index) => `s${index + 1}`);
  const half = Math.ceil(ids.length / 2);
  return {
    goal: `bench: size of ${count}`,
    workspace,
    maxParallelSubtasks: parallel,
    executor: { kind: 'activity', name: failsOnceName, taskQueue },
    subtasks: [
      ...ids.slice(0, half).map((id) => ({ id, description: `fail once, then do nothing (${id})` })),
      { id: 'middle', description: 'ask', executor: asks, dependsOn: ids.slice(0, half) },
      ...ids
        .slice(half)
        .map((id) => ({ id, description: `fail once, then do nothing (${id})`, dependsOn: ['middle'] })),
      { id: 'end', description: 'ask', executor: asks, dependsOn: ids.slice(half) },
    ],
  };
}
