import type { Answer } from '../model/decision.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { Lesson, ProjectMemory, RememberedSignature } from '../model/memory.ts';
import type { KnownFix } from '../model/ladder.ts';
import { limits } from '../limits.ts';
import { clip } from '../text/text.ts';

export const emptyMemory = (project: string): ProjectMemory => ({ project, signatures: [], answers: [] });

/** Adds what a task learned. Newest last; the least recent give way at the limit. */
export function remember(memory: ProjectMemory, lesson: Lesson): ProjectMemory {
  const signatures = new Map(memory.signatures.map((known) => [known.signature, known]));
  for (const learned of lesson.signatures) {
    const known = signatures.get(learned.signature);
    signatures.delete(learned.signature);
    signatures.set(learned.signature, {
      ...learned,
      count: (known?.count ?? 0) + learned.count,
      fixedAtRung: learned.fixedAtRung ?? known?.fixedAtRung ?? null,
      hint: learned.hint === '' ? (known?.hint ?? '') : learned.hint,
    });
  }
  const answers = new Map(memory.answers.map((answer) => [answer.signature, answer]));
  for (const answer of lesson.answers) answers.set(answer.signature, answer);
  return {
    project: memory.project,
    signatures: [...signatures.values()].slice(-limits.rememberedSignatures),
    answers: [...answers.values()].slice(-limits.rememberedSignatures),
  };
}

export function forget(memory: ProjectMemory, signature: string): ProjectMemory {
  return {
    project: memory.project,
    signatures: memory.signatures.filter((known) => known.signature !== signature),
    answers: memory.answers.filter((answer) => answer.signature !== signature),
  };
}

/** A person's correction: the rung and the hint for a signature, known or not. */
export function correct(
  memory: ProjectMemory,
  fix: { signature: string; rung?: number; hint?: string },
): ProjectMemory {
  const known = memory.signatures.find(({ signature }) => signature === fix.signature);
  const corrected: RememberedSignature = {
    signature: fix.signature,
    type: known?.type ?? fix.signature.replace(/-[0-9a-f]+$/, ''),
    summary: known?.summary ?? '',
    count: known?.count ?? 0,
    fixedAtRung: fix.rung ?? known?.fixedAtRung ?? null,
    hint: clip(fix.hint ?? known?.hint ?? '', limits.hint),
  };
  return { ...memory, signatures: [...memory.signatures.filter((other) => other !== known), corrected] };
}

/** What helps against a signature; a failure that was seen but never fixed is no help. */
export function knownFix(memory: readonly RememberedSignature[], signature: string): KnownFix | undefined {
  const known = memory.find((remembered) => remembered.signature === signature);
  if (known === undefined || known.fixedAtRung === null) return undefined;
  return { rung: known.fixedAtRung, ...(known.hint === '' ? {} : { hint: known.hint }) };
}

/** What a task teaches: every failure it met, and which rung and words led out of it. */
export function lessonOf(
  taskId: string,
  records: readonly AttemptRecord[],
  guidance: (subtask: string) => string | undefined,
  standing: Readonly<Record<string, Answer>>,
): Lesson {
  const learned = new Map<string, RememberedSignature>();
  const bySubtask = Map.groupBy(records, ({ subtask }) => subtask);
  for (const [subtask, attempts] of bySubtask) {
    const passed = attempts.find(({ outcome }) => outcome === 'passed');
    for (const { signature, type, summary } of attempts.filter(({ outcome }) => outcome === 'failed')) {
      if (signature === null) continue;
      const before = learned.get(signature);
      learned.set(signature, {
        signature,
        type: type ?? 'unknown',
        summary: clip(summary, limits.summary),
        count: (before?.count ?? 0) + 1,
        fixedAtRung: passed?.rung ?? before?.fixedAtRung ?? null,
        hint: clip(
          (passed === undefined ? undefined : (guidance(subtask) ?? passed.summary)) ?? before?.hint ?? '',
          limits.hint,
        ),
      });
    }
  }
  const answers = Object.entries(standing).map(([signature, { option, instruction, by }]) => ({
    signature,
    option,
    ...(instruction === undefined ? {} : { instruction }),
    ...(by === undefined ? {} : { by }),
  }));
  return { taskId, signatures: [...learned.values()], answers };
}
