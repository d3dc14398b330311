import { HeddleError, type Problem } from '../../domain/errors/heddle-error.ts';
import type { Decision } from '../../domain/types/decision.ts';
import { clientLimits } from '../limits/client-limits.ts';

/**
 * An open decision, with the task that waits for it.
 *
 * @example
 * ```ts
 * for (const { taskId, id, problem } of (await heddle.inbox()).items) console.log(taskId, id, problem);
 * ```
 */
export type InboxItem = Decision & { taskId: string; goal: string };

/**
 * The open decisions of all tasks, oldest first, and the tasks that did not answer.
 *
 * @example
 * ```ts
 * const { items, silent } = await heddle.inbox();
 * ```
 */
export interface Inbox {
  items: InboxItem[];
  silent: { taskId: string; problem: Problem }[];
}

interface OpenTask {
  id: string;
  goal: string;
}

/** One task that does not answer is named; it does not hide the others. */
export async function collectInbox(
  tasks: readonly OpenTask[],
  ask: (taskId: string) => Promise<readonly Decision[]>,
): Promise<Inbox> {
  const inbox: Inbox = { items: [], silent: [] };
  const left = [...tasks];
  const askNext = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      const { id: taskId, goal } = task;
      try {
        inbox.items.push(...(await ask(taskId)).map((decision) => ({ taskId, goal, ...decision })));
      } catch (error) {
        const problem = buildProblem(error);
        // It is gone since it was listed: it asks nothing.
        if (problem.code !== 'TASK_NOT_FOUND') inbox.silent.push({ taskId, problem });
      }
    }
  };
  await Promise.all(Array.from({ length: clientLimits.inboxParallel }, askNext));
  inbox.items.sort((a, b) => a.openedAt.localeCompare(b.openedAt));
  return inbox;
}

function buildProblem(error: unknown): Problem {
  if (error instanceof HeddleError) return error.toJSON();
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}
