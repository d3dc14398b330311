import { limits } from '../limits.ts';
import type { KnownFix } from '../model/ladder.ts';
import type { Learned, ProjectMemory, RememberedSignature, StandingAnswer } from '../model/memory.ts';
import { newest } from './newest.ts';

export const emptyMemory = (project: string): ProjectMemory => ({ project, signatures: [], answers: [] });

/** What a task is told at its start: only what can help it, and no more than it can carry. */
export function toldOf({ signatures, answers }: ProjectMemory): Pick<ProjectMemory, 'signatures' | 'answers'> {
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
  const known = memory.find((remembered) => remembered.signature === signature);
  if (known === undefined || known.fixedAtRung === null) return undefined;
  return { rung: known.fixedAtRung, ...(known.hint === '' ? {} : { hint: known.hint }) };
}

/** The answer that holds for a failure in one task: what the task was told itself comes before what it inherited. */
export function standingAnswer(
  inherited: readonly StandingAnswer[],
  learned: Learned,
  signature: string,
): StandingAnswer | undefined {
  const isAbout = (answer: StandingAnswer): boolean => answer.signature === signature;
  return learned.answers.find(isAbout) ?? inherited.find(isAbout);
}
