import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine } from '../text/text.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { PastFailure } from '../types/attempt.ts';
import type { LessonMaterial } from '../types/extraction.ts';

/** The facts of a subtask that has ended. */
export interface EndedSubtask {
  end: 'completed' | 'failed';
  record: AttemptRecord;
  failures: readonly PastFailure[];
  corrections: readonly string[];
  recalled: readonly string[];
  /** It, or a subtask that it builds on, read texts that anybody may have written. */
  readOutside: boolean;
}

const isOfWork = ({ failure: { category } }: PastFailure): boolean => category === 'quality' || category === 'blocked';

/**
 * Builds what a model learns from; null: there is nothing to learn. A run without failures and corrections teaches nothing, and trouble of a
 * service or a machine is no lesson about the work. What programs printed is left behind: it may hold anything.
 */
export function buildMaterial(ended: EndedSubtask): LessonMaterial | null {
  const { end, record, corrections, recalled, readOutside } = ended;
  const failures = ended.failures.filter(isOfWork).slice(-limits.lessons.failures);
  if (failures.length === 0 && corrections.length === 0) return null;
  const passed = end === 'completed' && record.outcome === 'passed';
  return {
    subtask: record.subtask,
    attempt: record.attempt,
    passed,
    failures: failures.map(withoutOutput),
    notes: passed ? record.notes : '',
    files: record.files.slice(0, limits.lessons.files).map(({ path }) => clip(path, limits.leftPath)),
    corrections: corrections.slice(-limits.lessons.corrections),
    recalled: [...recalled],
    ...(readOutside ? { candidate: true } : {}),
  };
}

const withoutOutput = ({ attempt, endedAt, failure }: PastFailure): PastFailure => ({
  ...{ attempt, endedAt },
  failure: { ...failure, details: '' },
  files: [],
});

/** The form in which a person's words are kept. */
export const clipCorrection = (text: string): string => clip(oneLine(text), limits.lessons.correction);
