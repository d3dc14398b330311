import { bindSignature, isGateSignature, signatureAt } from '../gates/findings/standing-signature.ts';
import { limits } from '../limits/domain-limits.ts';
import type { DecisionAnswer } from '../types/decision.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { Dated, Learned, Teaching, RememberedSignature, StandingAnswer } from '../types/basic/memory.ts';
import { clip } from '../text/text.ts';
import { keepNewest } from './newest.ts';

/** The state at the start of a task: what it inherits from its project is not something it learned. */
export const nothingLearned = (): Learned => ({ signatures: [], answers: [] });

/** Records a failure. */
export function learnFailure(
  learned: Learned,
  { failure, at }: { failure: Pick<Failure, 'signature' | 'type' | 'summary'>; at: number },
): Learned {
  const before = learned.signatures.find(({ signature }) => signature === failure.signature);
  return withSignatures(learned, [
    {
      signature: clip(failure.signature, limits.memory.signature),
      type: clip(failure.type, limits.memory.type),
      summary: clip(failure.summary, limits.summary),
      count: (before?.count ?? 0) + 1,
      fixedAtRung: before?.fixedAtRung ?? null,
      hint: before?.hint ?? '',
      at,
    },
  ]);
}

/** Lists the signatures that a subtask met, bounded: its success explains them all. */
export function addMet(met: readonly string[], signature: string): string[] {
  return [...met.filter((other) => other !== signature), signature].slice(-limits.memory.met);
}

/** The recovery of a subtask from its failures. */
export interface Fix {
  /** Signatures that the subtask met, by `addMet`. */
  met: readonly string[];
  rung: number;
  /** A person's instruction to the subtask in this task, if any. */
  guidance: string | undefined;
  /** The program's own notes when it passed. */
  notes: string;
  /** The hint came from the project's memory: there is no new instruction, and the program's notes must not replace the hint. */
  remembered: boolean;
  at: number;
}

/** Records the rung and the hint that completed a subtask. A subtask without failures teaches nothing. */
export function learnFix(learned: Learned, fix: Fix): Learned {
  const newHint = fix.guidance ?? (fix.remembered ? '' : fix.notes);
  const fixed = learned.signatures
    .filter(({ signature }) => fix.met.includes(signature))
    .map((entry) => ({
      ...entry,
      fixedAtRung: fix.rung,
      hint: newHint === '' ? entry.hint : clip(newHint, limits.memory.hint),
      at: fix.at,
    }));
  return fixed.length === 0 ? learned : withSignatures(learned, fixed);
}

/** Records a new standing answer. Never called for an answer that existed already. */
export function learnAnswer(
  learned: Learned,
  { signature, answer, at }: { signature: string; answer: DecisionAnswer; at: number },
): Learned {
  const { option, instruction, by } = answer;
  const given: Dated<StandingAnswer> = {
    signature: clip(signature, limits.memory.signature),
    option: clip(option, limits.memory.option),
    ...(instruction === undefined ? {} : { instruction: clip(instruction, limits.instruction) }),
    ...(by === undefined ? {} : { by: clip(by, limits.memory.by) }),
    at,
  };
  const others = learned.answers.filter((other) => other.signature !== given.signature);
  return { ...learned, answers: keepNewest([...others, given], limits.memory.told) };
}

/** Builds what a task tells its project; null when it learned nothing and had no lessons. */
export function buildTeaching(
  taskId: string,
  { signatures, answers }: Learned,
  workspace: string,
  lessons: Pick<Teaching, 'lessons' | 'uses' | 'expire'> = {},
): Teaching | null {
  if (signatures.length === 0 && answers.length === 0 && Object.keys(lessons).length === 0) return null;
  return { taskId, signatures, answers: answers.flatMap((answer) => bindAnswer(answer, workspace)), ...lessons };
}

/** An answer about a gate holds for its folder, an answer about a failure for the whole project. */
function bindAnswer(answer: Dated<StandingAnswer>, workspace: string): Dated<StandingAnswer>[] {
  if (!isGateSignature(answer.signature)) return [answer];
  const signature = bindSignature(answer.signature, workspace);
  return signature === null ? [] : [{ ...answer, signature }];
}

/** Returns the answers of a project for a task in this folder, with the task's own signatures. */
export function answersAt(answers: readonly StandingAnswer[], workspace: string): StandingAnswer[] {
  return answers.flatMap((answer) => {
    if (!isGateSignature(answer.signature)) return [answer];
    const signature = signatureAt(answer.signature, workspace);
    return signature === null ? [] : [{ ...answer, signature }];
  });
}

function withSignatures(learned: Learned, changed: readonly Dated<RememberedSignature>[]): Learned {
  const names = new Set(changed.map(({ signature }) => signature));
  const others = learned.signatures.filter(({ signature }) => !names.has(signature));
  return { ...learned, signatures: keepNewest([...others, ...changed], limits.memory.told) };
}
