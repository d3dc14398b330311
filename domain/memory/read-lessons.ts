import { findModelTextProblem, findTextProblem } from '../lessons/lesson-text.ts';
import { buildLessonId, isLessonId } from '../lessons/lesson-words.ts';
import { limits } from '../limits/domain-limits.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import type { LearnedLesson, Lesson, LessonOrigin, LessonUse } from '../types/basic/lessons.ts';
import type { ProjectMemory } from '../types/basic/memory.ts';
import { clip, oneLine } from '../text/text.ts';
import {
  invalid,
  readFields,
  readItemText,
  readList,
  readOptionalText,
  readTime,
  readWhole,
  type ItemFields,
} from './read-items.ts';

const listsThem = '`heddle memory PROJECT` lists them.';

/** Reads the id of a lesson that the project has. */
export function readLessonId(memory: ProjectMemory, fields: ItemFields, key = 'id'): string {
  const id = fields.get(key);
  if (typeof id !== 'string' || !isLessonId(id)) throw invalid(`${key} must be a text such as l-1a2b3c4d5e`, listsThem);
  if (memory.lessons.some((lesson) => lesson.id === id)) return id;
  throw new HeddleError({
    code: 'LESSON_NOT_FOUND',
    message: `${memory.project} has no lesson ${id}`,
    hint: listsThem,
  });
}

/** Reads the text of a person's lesson. */
export function readPersonText(fields: ItemFields): string {
  const given = fields.get('text');
  if (typeof given !== 'string') throw invalid('text must be text');
  const text = oneLine(given);
  const problem = findTextProblem(text);
  if (problem !== undefined) throw invalid(problem, 'Write one sentence.');
  return text;
}

/** Reads a lesson that a task learned. A task may send anything, so the text is checked again. */
export function readLearned(value: unknown, now: number): LearnedLesson {
  const fields = readFields(value, 'a lesson');
  const text = readModelText(fields);
  const replaces = readOptionalText(fields, 'replaces', limits.memory.signature);
  const id = readOptionalText(fields, 'id', limits.memory.signature);
  return {
    id: id !== undefined && isLessonId(id) ? id : buildLessonId(text),
    text,
    from: readOrigin(fields.get('from')),
    at: readTime(fields, now),
    ...(fields.get('candidate') === true ? { candidate: true } : {}),
    ...(replaces !== undefined && isLessonId(replaces) ? { replaces } : {}),
  };
}

function readModelText(fields: ItemFields): string {
  const text = fields.get('text');
  if (typeof text !== 'string') throw invalid('text must be text');
  const problem = findModelTextProblem(text);
  if (problem !== undefined) throw invalid(`a lesson was refused: ${problem}`);
  return text;
}

function readOrigin(value: unknown): LessonOrigin {
  const fields = readFields(value, 'an origin');
  const signature = readOptionalText(fields, 'signature', limits.memory.signature);
  return {
    task: readItemText(fields, 'task', limits.memory.taskId),
    subtask: readItemText(fields, 'subtask', limits.lessons.subtask),
    ...(signature === undefined ? {} : { signature }),
    ...(fields.get('correction') === true ? { correction: true } : {}),
  };
}

/** Reads each lesson by itself: a lesson that may not be kept is dropped, and the rest of a message counts. */
export const readEachLesson = <T>(items: readonly unknown[], read: (value: unknown) => T): T[] =>
  items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (error instanceof HeddleError) return [];
      throw error;
    }
  });

/** Reads the uses of lessons in a task, by their ids. */
export function readUses(value: unknown): Record<string, LessonUse> {
  const entries = [...readFields(value, 'uses')].filter(([id]) => isLessonId(id)).slice(0, limits.lessons.used);
  const count = (fields: ItemFields, key: string): number => readWhole(fields, key, 0, limits.memory.count);
  return Object.fromEntries(
    entries.map(([id, use]) => {
      const fields = readFields(use, 'a use');
      return [id, { shown: count(fields, 'shown'), helped: count(fields, 'helped'), hurt: count(fields, 'hurt') }];
    }),
  );
}

/** Reads a whole lesson, as a memory shows it or as a run carries it. A time in milliseconds is taken as well as one in ISO form. */
export function readLesson(value: unknown, now: number): Lesson {
  const fields = readFields(value, 'a lesson');
  const by = fields.get('by') === 'person' ? 'person' : 'model';
  const text = by === 'person' ? readPersonText(fields) : readModelText(fields);
  const id = readItemText(fields, 'id', limits.memory.signature);
  if (!isLessonId(id)) throw invalid('id must be a text such as l-1a2b3c4d5e');
  const why = readOptionalText(fields, 'why', limits.lessons.why);
  const count = (key: string): number => readWhole(fields, key, 0, limits.memory.count);
  return {
    ...{ id, text, by, at: readMoment(fields, now), state: readState(fields) },
    from: readList(fields, 'from').slice(-limits.lessons.origins).map(readOrigin),
    ...{ shown: count('shown'), helped: count('helped'), hurt: count('hurt') },
    idle: fields.get('idle') === undefined ? 0 : count('idle'),
    ...(why === undefined ? {} : { why: clip(oneLine(why), limits.lessons.why) }),
  };
}

function readState(fields: ItemFields): Lesson['state'] {
  const state = fields.get('state');
  if (state === 'candidate' || state === 'active' || state === 'retired') return state;
  throw invalid('state must be candidate, active or retired');
}

/** The last time that a date can have. */
const latest = 8.64e15;

function readMoment(fields: ItemFields, now: number): number {
  const at = fields.get('at');
  if (typeof at !== 'string') return readTime(fields, Math.min(now, latest));
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) throw invalid('at must be a time');
  return Math.min(Math.max(0, ms), now);
}
