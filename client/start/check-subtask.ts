import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { nearest } from '../../domain/text/nearest.ts';
import { formatList } from '../../domain/text/text.ts';

/** Refuses a subtask that the plan does not have, and names what was perhaps meant. */
export function checkSubtask({ subtasks }: Pick<StatusView, 'subtasks'>, subtask: string | undefined): void {
  const ids = subtasks.map(({ id }) => id);
  if (subtask === undefined || ids.includes(subtask)) return;
  const nearestId = nearest(subtask, ids);
  throw new HeddleError({
    code: 'SUBTASK_NOT_FOUND',
    message: `There is no subtask ${subtask}`,
    hint: nearestId === undefined ? `Subtasks: ${formatList(ids, 20)}.` : `Did you mean ${nearestId}?`,
  });
}
