import { bindSignature, isGateSignature, signatureAt } from '../gates/findings/standing-signature.ts';
import { limits } from '../limits/domain-limits.ts';
import type { DecisionAnswer } from '../types/decision.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { Dated, Learned, Lesson, RememberedSignature, StandingAnswer } from '../types/basic/memory.ts';
import { clip } from '../text/text.ts';
import { newest } from './newest.ts';

/** At the start of a task: what it inherits from its project is not something it learned. */
export const nothingLearned = (): Learned => ({ signatures: [], answers: [] });

/** A failure was met. */
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

/** The signatures that a subtask met so far, bounded: its success explains them all. */
export function addMet(met: readonly string[], signature: string): string[] {
  return [...met.filter((other) => other !== signature), signature].slice(-limits.memory.met);
}

/** What led a subtask out of the failures that it met. */
export interface Fix {
  /** Signatures that the subtask met, by `addMet`. */
  met: readonly string[];
  rung: number;
  /** What a person said to it in this task, if anybody did. */
  guidance: string | undefined;
  /** The program's own words when it passed. */
  notes: string;
  /** The hint came from the project's memory: nobody said anything new, and the program's words must not replace it. */
  remembered: boolean;
  at: number;
}

/** A subtask is completed: the rung and the words that led there are known now. One that met no failure teaches nothing. */
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

/** A person gave an answer in this task that holds for a signature. Never called for one that stood already. */
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
  return { ...learned, answers: newest([...others, given], limits.memory.told) };
}

/** What a task teaches its project at its end; null when it has nothing to tell. */
export function lessonFrom(taskId: string, { signatures, answers }: Learned, workspace: string): Lesson | null {
  if (signatures.length === 0 && answers.length === 0) return null;
  return { taskId, signatures, answers: answers.flatMap((answer) => bindAnswer(answer, workspace)) };
}

/** An answer about a gate holds for the folder that it was given in, one about a failure for the whole project. */
function bindAnswer(answer: Dated<StandingAnswer>, workspace: string): Dated<StandingAnswer>[] {
  if (!isGateSignature(answer.signature)) return [answer];
  const signature = bindSignature(answer.signature, workspace);
  return signature === null ? [] : [{ ...answer, signature }];
}

/** The answers of a project that hold for a task in this folder, as the task knows them. */
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
  return { ...learned, signatures: newest([...others, ...changed], limits.memory.told) };
}
