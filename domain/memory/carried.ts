import { HeddleError } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ProjectState } from '../types/basic/memory.ts';
import { newest } from './newest.ts';
import { newProject, refuse } from './project-state.ts';
import {
  readAnswerName,
  readDated,
  readFields,
  readRemembered,
  readStanding,
  readTime,
  type Fields,
} from './read-items.ts';

/**
 * What the run before left. A state that this code does not know is read as far as it goes, and that is said: a memory that
 * refused to start would be lost whole.
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
    signatures: newest(items('signatures', readDated(readRemembered, now)), remembered),
    answers: newest(items('answers', readDated(readStanding, now)), remembered),
    forgotten: newest(
      items('forgotten', (value) => {
        const entry = readFields(value, 'a forgotten signature');
        return { signature: readAnswerName(entry), at: readTime(entry, now) };
      }),
      forgotten,
    ),
    taught: newest(items('taught', readTaskId), taught),
    refused: readRefused(fields.get('refused')),
  };
  const version = fields.get('version');
  if (version === fresh.version && lost.entries === 0) return state;
  const what = version === fresh.version ? 'broken' : 'of another version';
  return refuse(state, `the memory from the last run is ${what}: ${lost.entries} of its entries were not read`);
}

const ownFields = (value: unknown): Fields =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** Each item on its own: one that is broken must not take the others with it. */
function readEach<T>(fields: Fields, key: string, read: (value: unknown) => T, lost: { entries: number }): T[] {
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
