import { HeddleError } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import type { MemoryImport, ProjectMemory, Teaching } from '../types/basic/memory.ts';
import { isLessonId } from '../lessons/lesson-words.ts';
import { utf8Length } from '../text/text.ts';
import { jsonBytes, type Bounds } from './newest.ts';
import { readEachLesson, readLearned, readLesson, readLessonId, readPersonText, readUses } from './read-lessons.ts';
import {
  invalid,
  readAnswerName,
  readDated,
  readFields,
  readList,
  readOptionalText,
  readRemembered,
  readRung,
  readSignatureName,
  readStanding,
  readItemText,
  type ItemFields,
} from './read-items.ts';

/** Every message to a project is read here. For any input, only a HeddleError is thrown. */

/** `learn`: what a task tells at its end, with times up to `now`. */
export function readTeaching(payload: unknown, now: number): Teaching {
  const fields = readFields(payload, 'learn');
  const taskId = readItemText(fields, 'taskId', limits.memory.taskId);
  if (taskId === '') throw invalid('taskId is missing');
  const { items } = limits.memory.told;
  return {
    taskId,
    signatures: readList(fields, 'signatures').slice(-items).map(readDated(readRemembered, now)),
    answers: readList(fields, 'answers').slice(-items).map(readDated(readStanding, now)),
    ...readLessonParts(fields, now),
  };
}

/** A task without lessons says nothing about them. */
function readLessonParts(fields: ItemFields, now: number): Pick<Teaching, 'lessons' | 'uses' | 'expire'> {
  const [uses, expire] = [fields.get('uses'), fields.get('expire')];
  const read = (lesson: unknown) => readLearned(lesson, now);
  return {
    ...(fields.get('lessons') === undefined
      ? {}
      : { lessons: readEachLesson(readList(fields, 'lessons').slice(-limits.lessons.taught), read) }),
    ...(uses === undefined ? {} : { uses: readUses(uses) }),
    ...(typeof expire === 'number' && expire > 0 ? { expire } : {}),
  };
}

/** `add`: a person's lesson. */
export const readAdd = (payload: unknown): string => readPersonText(readFields(payload, 'add'));

/** `accept`: a lesson that the project has. */
export const readAccept = (memory: ProjectMemory, payload: unknown): string =>
  readLessonId(memory, readFields(payload, 'accept'));

/** `forget`: a signature, or a lesson, that the project has. */
export function readForget(memory: ProjectMemory, payload: unknown): string {
  const fields = readFields(payload, 'forget');
  const lesson = findLessonKey(fields);
  if (lesson !== undefined) return readLessonId(memory, fields, lesson);
  const signature = readAnswerName(fields);
  const isKnown = (item: { signature: string }): boolean => item.signature === signature;
  if (!memory.signatures.some(isKnown) && !memory.answers.some(isKnown)) {
    throw new HeddleError({
      code: 'SIGNATURE_NOT_FOUND',
      message: `${memory.project} knows no ${signature}`,
      hint: '`heddle memory PROJECT` lists what it knows.',
    });
  }
  return signature;
}

/** The key that names a lesson, if the message is about one. */
function findLessonKey(fields: ItemFields): 'id' | 'signature' | undefined {
  if (fields.get('id') !== undefined) return 'id';
  const signature = fields.get('signature');
  return typeof signature === 'string' && isLessonId(signature) ? 'signature' : undefined;
}

/** A person's correction of a lesson. */
export interface LessonFix {
  id: string;
  text: string;
}

/** `set` with the id of a lesson; undefined: it is about a signature. */
export function readLessonFix(memory: ProjectMemory, payload: unknown): LessonFix | undefined {
  const fields = readFields(payload, 'set');
  const key = findLessonKey(fields);
  return key === undefined ? undefined : { text: readPersonText(fields), id: readLessonId(memory, fields, key) };
}

/** `set`: a person's correction of a signature. */
export function readFix(payload: unknown): { signature: string; rung?: number; hint?: string } {
  const fields = readFields(payload, 'set');
  const signature = readSignatureName(fields);
  const rung = fields.get('rung') === undefined ? undefined : readRung(fields, 'rung');
  const hint = readOptionalText(fields, 'hint', limits.memory.hint);
  if (rung === undefined && hint === undefined) throw invalid('set needs a rung or a hint');
  return { signature, ...(rung === undefined ? {} : { rung }), ...(hint === undefined ? {} : { hint }) };
}

/** `import`: the form of `memory export`. Entries that do not fit are refused, because dropping them silently would lose data. */
export function readImport(payload: unknown): MemoryImport {
  const fields = readFields(payload, 'import');
  return {
    signatures: readWholeList(fields, 'signatures', readRemembered),
    answers: readWholeList(fields, 'answers', readStanding),
    lessons:
      fields.get('lessons') === undefined
        ? []
        : readWholeList(fields, 'lessons', (lesson) => readLesson(lesson, Infinity), limits.lessons.kept),
  };
}

function readWholeList<T extends object>(
  fields: ItemFields,
  key: string,
  read: (value: unknown) => T,
  bounds: Bounds = limits.memory.remembered,
): T[] {
  if (!Array.isArray(fields.get(key))) {
    throw invalid('import takes {"signatures": [...], "answers": [...]}', 'Use what `heddle memory export` wrote.');
  }
  const given = readList(fields, key);
  const { items, bytes } = bounds;
  if (given.length > items) throw tooLarge(`${given.length} ${key}`, bounds);
  const entries = given.map(read);
  // The size counts texts before they are clipped, or the largest ones would pass.
  const size = entries.reduce((sum, item, index) => sum + Math.max(jsonBytes(item), textBytes(given[index])) + 1, 0);
  if (size > bytes) throw tooLarge(`${key} of ${Math.ceil(size / 1024)} KiB`, bounds);
  return entries;
}

function tooLarge(what: string, { items, bytes }: Bounds): HeddleError {
  return new HeddleError({
    code: 'MEMORY_TOO_LARGE',
    message: `The memory to import has ${what}; a project remembers ${items} or ${bytes / 1024} KiB of them`,
    hint: 'Import a part of it: the newest entries are at the end.',
  });
}

function textBytes(value: unknown): number {
  const texts = [...readFields(value, 'an entry').values()].filter((text) => typeof text === 'string');
  return texts.reduce((sum, text) => sum + utf8Length(text), 0);
}
