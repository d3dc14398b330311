import { HeddleError } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Lesson, ProjectMemory } from '../types/basic/memory.ts';
import { utf8Length } from '../text/text.ts';
import { jsonBytes, type Bounds } from './newest.ts';
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

/** `learn`: the lesson of a task, with times up to `now`. */
export function readLesson(payload: unknown, now: number): Lesson {
  const fields = readFields(payload, 'learn');
  const taskId = readItemText(fields, 'taskId', limits.memory.taskId);
  if (taskId === '') throw invalid('taskId is missing');
  const { items } = limits.memory.told;
  return {
    taskId,
    signatures: readList(fields, 'signatures').slice(-items).map(readDated(readRemembered, now)),
    answers: readList(fields, 'answers').slice(-items).map(readDated(readStanding, now)),
  };
}

/** `forget`: a signature that the project knows. */
export function readForget(memory: ProjectMemory, payload: unknown): string {
  const signature = readAnswerName(readFields(payload, 'forget'));
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

/** `set`: a person's correction. */
export function readFix(payload: unknown): { signature: string; rung?: number; hint?: string } {
  const fields = readFields(payload, 'set');
  const signature = readSignatureName(fields);
  const rung = fields.get('rung') === undefined ? undefined : readRung(fields, 'rung');
  const hint = readOptionalText(fields, 'hint', limits.memory.hint);
  if (rung === undefined && hint === undefined) throw invalid('set needs a rung or a hint');
  return { signature, ...(rung === undefined ? {} : { rung }), ...(hint === undefined ? {} : { hint }) };
}

/** `import`: the form of `memory export`. Entries that do not fit are refused, because dropping them silently would lose data. */
export function readImport(payload: unknown): Pick<ProjectMemory, 'signatures' | 'answers'> {
  const fields = readFields(payload, 'import');
  return {
    signatures: readWholeList(fields, 'signatures', readRemembered),
    answers: readWholeList(fields, 'answers', readStanding),
  };
}

function readWholeList<T extends object>(fields: ItemFields, key: string, read: (value: unknown) => T): T[] {
  if (!Array.isArray(fields.get(key))) {
    throw invalid('import takes {"signatures": [...], "answers": [...]}', 'Use what `heddle memory export` wrote.');
  }
  const given = readList(fields, key);
  const { items, bytes } = limits.memory.remembered;
  if (given.length > items) throw tooLarge(`${given.length} ${key}`, limits.memory.remembered);
  const entries = given.map(read);
  // The size counts texts before they are clipped, or the largest ones would pass.
  const size = entries.reduce((sum, item, index) => sum + Math.max(jsonBytes(item), textBytes(given[index])) + 1, 0);
  if (size > bytes) throw tooLarge(`${key} of ${Math.ceil(size / 1024)} KiB`, limits.memory.remembered);
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
