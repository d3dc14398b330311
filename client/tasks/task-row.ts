import type { StatusView } from '../../domain/views/task-status.ts';
import type { TaskListing } from '../sdk/task-listing.ts';

/** A task with its progress; null where it has ended or does not answer at once. */
export interface TaskRow extends Omit<TaskListing, 'planOnly'> {
  summary: string | null;
  done: number | null;
  total: number | null;
  /** Subtasks that are being tried again. */
  retrying: string[] | null;
}

/** The row of a task: what the server lists, and what the task itself answered. */
export function buildTaskRow(listing: TaskListing, status: StatusView | undefined): TaskRow {
  const { id, state, goal, project, startedAt, endedAt, waitingOn, costUsd, by } = listing;
  const task = { id, state, goal, project, startedAt, endedAt, waitingOn, costUsd, by };
  if (status === undefined) return { ...task, summary: null, done: null, total: null, retrying: null };
  return {
    ...task,
    // Newer than what the server was told last.
    ...(status.endedAt === null ? { state: status.state, waitingOn: status.decisions.map(({ kind }) => kind) } : {}),
    summary: status.summary,
    done: status.subtasks.filter(({ state }) => state === 'completed').length,
    total: status.subtasks.length,
    retrying: status.subtasks.filter(isRetrying).map(({ id }) => id),
  };
}

const ends: readonly string[] = ['completed', 'failed', 'skipped'];

const isRetrying = ({ state, attempts, notBefore }: StatusView['subtasks'][number]): boolean =>
  !ends.includes(state) && (attempts > 1 || notBefore !== null);
