import { limits } from '../limits/domain-limits.ts';
import type { ProjectMemory } from '../types/basic/memory.ts';
import { newest } from './newest.ts';
import { readFields, readList, readRemembered, readStanding } from './read-items.ts';

/** The answer of a project's query: it may come from another version of the code. */
export function readMemoryAnswer(project: string, value: unknown): ProjectMemory {
  const fields = readFields(value, 'a memory');
  const { remembered } = limits.memory;
  return {
    project,
    signatures: newest(readList(fields, 'signatures').map(readRemembered), remembered),
    answers: newest(readList(fields, 'answers').map(readStanding), remembered),
  };
}
