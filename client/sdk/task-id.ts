import { createHash, randomInt } from 'node:crypto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';

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

/** With `-r` and up to three digits an id of this length still is one. */
const longestStem = 59;
const keptOfStem = 50;

/**
 * The id of a retry: `release-r2`, `release-r3`. Where the id is too long for the ending, its end is replaced by a hash of it: the same
 * each time, and another for another task.
 */
export function buildRetryId(stem: string, number: number): string {
  const hash = createHash('sha256')
    .update(stem)
    .digest('hex')
    .slice(0, longestStem - keptOfStem - 1);
  const short = stem.length > longestStem ? `${stem.slice(0, keptOfStem)}-${hash}` : stem;
  return `${short}-r${number}`;
}

/** The stem that a task and its retries have in common, and the number of the next one. */
export function nextRetry(id: string): { stem: string; number: number } {
  const match = /^(.+)-r(\d{1,3})$/.exec(id);
  return match === null ? { stem: id, number: 2 } : { stem: match[1] ?? id, number: Number(match[2]) + 1 };
}
