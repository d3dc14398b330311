import type { HeddleClient } from '../sdk/heddle-client.ts';
import { allTasksQuery } from '../../domain/names/names.ts';
import { explainError } from '../temporal/explain-error.ts';
import { buildTaskQuery, filterStates } from '../tasks/task-filter.ts';

export interface TaskFigures {
  /** How many tasks there are, by state. */
  tasks: Record<string, number>;
  /** The age of the oldest open question; null where none is open. */
  oldestQuestionMs: number | null;
}

/** Counts the tasks of the server by state, and finds how long the oldest question has been open. */
export async function countTasks(client: HeddleClient, now: number): Promise<TaskFigures> {
  const counts = await Promise.all(
    filterStates
      .filter((state) => state !== 'open')
      .map(async (state) => [state, await countState(client, state)] as const),
  );
  const [oldest] = (await client.inbox()).items;
  return {
    tasks: Object.fromEntries(counts),
    oldestQuestionMs: oldest === undefined ? null : Math.max(0, now - Date.parse(oldest.openedAt)),
  };
}

async function countState(client: HeddleClient, state: string): Promise<number> {
  try {
    const { count } = await client.temporal.workflow.count(
      `${allTasksQuery} AND (${buildTaskQuery({ states: [state] })})`,
    );
    return count;
  } catch (error) {
    throw explainError(error);
  }
}
