import { limits } from '../limits/domain-limits.ts';
import type { KnownFix } from '../types/ladder.ts';
import type { ProjectMemory, RememberedSignature } from '../types/basic/memory.ts';
import { keepNewest } from './newest.ts';

export const emptyMemory = (project: string): ProjectMemory => ({ project, signatures: [], answers: [], lessons: [] });

/** Selects the part of the memory that helps a task at its start, bounded to what it can carry. Lessons go to the store. */
export function selectForTask({
  signatures,
  answers,
  lessons,
}: ProjectMemory): Pick<ProjectMemory, 'signatures' | 'answers' | 'lessons'> {
  const { told: perTask } = limits.memory;
  return {
    signatures: keepNewest(
      signatures.filter(({ fixedAtRung }) => fixedAtRung !== null),
      perTask,
    ),
    answers: keepNewest(answers, perTask),
    lessons: lessons.filter(({ state }) => state === 'active'),
  };
}

/** Returns the known fix for a signature; a failure that was never fixed has none. */
export function findKnownFix(memory: readonly RememberedSignature[], signature: string): KnownFix | undefined {
  const match = memory.find((remembered) => remembered.signature === signature);
  if (match === undefined || match.fixedAtRung === null) return undefined;
  return { rung: match.fixedAtRung, ...(match.hint === '' ? {} : { hint: match.hint }) };
}
