import type { StatusView, SubtaskView } from '../../../domain/views/task-status.ts';
import { writeJson } from './write-json.ts';

/** The changes between two statuses of a task, with the whole rows of the subtasks that differ. */
interface RowChanges {
  state: StatusView['state'];
  summary: string;
  subtasks: SubtaskView[];
  /** The ids of the open questions. */
  decisions: string[];
  budget: StatusView['budget'];
}

const made = new WeakMap<StatusView, { before: StatusView; text: string | undefined }>();

/** The changes as JSON, undefined where there is none. Readers mostly saw the same status before, so they share the work. */
export function writeRowChanges(before: StatusView, now: StatusView): string | undefined {
  if (before === now) return undefined;
  const kept = made.get(now);
  if (kept?.before === before) return kept.text;
  const text = compare(before, now);
  made.set(now, { before, text });
  return text;
}

function compare(before: StatusView, now: StatusView): string | undefined {
  const earlier = new Map(before.subtasks.map((subtask) => [subtask.id, writeJson(subtask)]));
  const subtasks = now.subtasks.filter((subtask) => earlier.get(subtask.id) !== writeJson(subtask));
  if (subtasks.length === 0 && writeRest(before) === writeRest(now)) return undefined;
  const changes: RowChanges = { ...restOf(now), subtasks };
  return JSON.stringify(changes);
}

const restOf = ({ state, summary, decisions, budget }: StatusView): Omit<RowChanges, 'subtasks'> => ({
  ...{ state, summary, budget },
  decisions: decisions.map(({ id }) => id),
});

const writeRest = (status: StatusView): string => JSON.stringify(restOf(status));
