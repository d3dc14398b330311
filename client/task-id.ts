import { randomInt } from 'node:crypto';
import { HeddleError } from '../domain/heddle-error.ts';

/** Short, sortable by time (base 36 keeps its length until the year 2059), readable in a URL. */
export function newTaskId(now = Date.now()): string {
  const random = Array.from({ length: 4 }, () => randomInt(36).toString(36)).join('');
  return `${now.toString(36)}${random}`;
}

const valid = /^[A-Za-z0-9._-]{1,64}$/;

/** `latest` stands for the newest task, so no task has it as its id. */
const isTaskId = (id: string): boolean => valid.test(id) && id !== 'latest';

/** The id, or an error that says what it may be. */
export function checkTaskId(id: string): string {
  if (isTaskId(id)) return id;
  throw new HeddleError({
    code: 'TASK_ID_INVALID',
    message: `${JSON.stringify(id)} cannot be the id of a task`,
    hint: 'Use letters, digits, `.`, `_` and `-`, at most 64; `latest` stands for the newest task.',
  });
}
