import { HeddleError } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ProjectState } from '../types/basic/memory.ts';
import { keepNewest } from './newest.ts';
import { readLesson } from './read-lessons.ts';
import { newProject, recordRefusal } from './project-state.ts';
import {
  readAnswerName,
  readDated,
  readFields,
  readRemembered,
  readStanding,
  readTime,
  type ItemFields,
} from './read-items.ts';

/**
 * Reads the state of the previous run. Entries that this version cannot read are dropped and reported: a memory that refused to start
 * would be lost completely.
 */
export function readCarried(carried: unknown, project: string, now: number): ProjectState {
  const fresh = newProject(project);
  if (carried === undefined || carried === null) return fresh;
  const fields = ownFields(carried);
  const lost = { entries: 0 };
  const items = <T>(key: string, read: (value: unknown) => T): T[] => readEach(fields, key, read, lost);
  const { remembered, forgotten, taught } = limits.memory;
  const state: ProjectState = {
    ...fresh,
    signatures: keepNewest(items('signatures', readDated(readRemembered, now)), remembered),
    answers: keepNewest(items('answers', readDated(readStanding, now)), remembered),
    // An older version carried no lessons.
    lessons: fields.get('lessons') === undefined ? [] : items('lessons', (value) => readLesson(value, now)),
    forgotten: keepNewest(
      items('forgotten', (value) => {
        const entry = readFields(value, 'a forgotten signature');
        return { signature: readAnswerName(entry), at: readTime(entry, now) };
      }),
      forgotten,
    ),
    taught: keepNewest(items('taught', readTaskId), taught),
    refused: readRefused(fields.get('refused')),
  };
  const version = fields.get('version');
  if (version === fresh.version && lost.entries === 0) return state;
  const what = version === fresh.version ? 'broken' : 'of another version';
  return recordRefusal(state, `the memory from the last run is ${what}: ${lost.entries} of its entries were not read`);
}

const ownFields = (value: unknown): ItemFields =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** Reads each item by itself, so that a broken one does not affect the others. */
function readEach<T>(fields: ItemFields, key: string, read: (value: unknown) => T, lost: { entries: number }): T[] {
  const list = fields.get(key);
  if (!Array.isArray(list)) {
    lost.entries += 1;
    return [];
  }
  return (list as readonly unknown[]).flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error;
      lost.entries += 1;
      return [];
    }
  });
}

function readTaskId(value: unknown): string {
  if (typeof value === 'string' && value.length <= limits.memory.taskId) return value;
  throw new HeddleError({ code: 'MESSAGE_INVALID', message: 'a task id is text' });
}

function readRefused(value: unknown): ProjectState['refused'] {
  const fields = ownFields(value);
  const count = fields.get('count');
  const last = fields.get('last');
  return {
    count: typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0,
    last: (Array.isArray(last) ? (last as readonly unknown[]) : [])
      .filter((reason) => typeof reason === 'string')
      .map((reason) => reason.slice(0, limits.memory.refusal))
      .slice(-limits.memory.refused),
  };
}
