import { limits } from '../limits/domain-limits.ts';
import type { ProjectMemory } from '../types/basic/memory.ts';
import { keepNewest } from './newest.ts';
import { viewLesson } from './project-lessons.ts';
import { readEachLesson, readLesson } from './read-lessons.ts';
import { readFields, readList, readRemembered, readStanding, type ItemFields } from './read-items.ts';

/** Reads the answer of a project's query, which may come from another version of the code. */
export function readMemoryAnswer(project: string, value: unknown): ProjectMemory {
  const fields = readFields(value, 'a memory');
  const { remembered } = limits.memory;
  return {
    project,
    signatures: keepNewest(readList(fields, 'signatures').map(readRemembered), remembered),
    answers: keepNewest(readList(fields, 'answers').map(readStanding), remembered),
    lessons: readLessons(fields),
  };
}

/** A worker of an older version answers without lessons. */
function readLessons(fields: ItemFields): ProjectMemory['lessons'] {
  if (fields.get('lessons') === undefined) return [];
  const items = readList(fields, 'lessons').slice(-limits.lessons.kept.items);
  return readEachLesson(items, (lesson) => viewLesson(readLesson(lesson, Infinity)));
}
