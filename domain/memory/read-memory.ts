import { limits } from '../limits/domain-limits.ts';
import type { ProjectMemory } from '../types/basic/memory.ts';
import { keepNewest } from './newest.ts';
import { readFields, readList, readRemembered, readStanding } from './read-items.ts';

/** Reads the answer of a project's query, which may come from another version of the code. */
export function readMemoryAnswer(project: string, value: unknown): ProjectMemory {
  const fields = readFields(value, 'a memory');
  const { remembered } = limits.memory;
  return {
    project,
    signatures: keepNewest(readList(fields, 'signatures').map(readRemembered), remembered),
    answers: keepNewest(readList(fields, 'answers').map(readStanding), remembered),
  };
}
