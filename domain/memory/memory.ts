import { limits } from '../limits/domain-limits.ts';
import type { KnownFix } from '../types/ladder.ts';
import type { ProjectMemory, RememberedSignature } from '../types/basic/memory.ts';
import { newest } from './newest.ts';

export const emptyMemory = (project: string): ProjectMemory => ({ project, signatures: [], answers: [] });

/** What a task is told at its start: only what can help it, and no more than it can carry. */
export function selectForTask({ signatures, answers }: ProjectMemory): Pick<ProjectMemory, 'signatures' | 'answers'> {
  const { told } = limits.memory;
  return {
    signatures: newest(
      signatures.filter(({ fixedAtRung }) => fixedAtRung !== null),
      told,
    ),
    answers: newest(answers, told),
  };
}

/** What helps against a signature; a failure that was seen but never fixed is no help. */
export function knownFix(memory: readonly RememberedSignature[], signature: string): KnownFix | undefined {
  const match = memory.find((remembered) => remembered.signature === signature);
  if (match === undefined || match.fixedAtRung === null) return undefined;
  return { rung: match.fixedAtRung, ...(match.hint === '' ? {} : { hint: match.hint }) };
}
