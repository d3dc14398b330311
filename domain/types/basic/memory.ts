import type { LearnedLesson, Lesson, LessonUse, LessonView } from './lessons.ts';

/** A project's memory of one failure. */
export interface RememberedSignature {
  signature: string;
  type: string;
  summary: string;
  /** Number of times that it was seen. */
  count: number;
  /** The rung that fixed it last, by its number in the whole ladder. */
  fixedAtRung: number | null;
  /** The fix: a person's words, or the program's own. Empty when nobody gave any. */
  hint: string;
}

/** An answer that holds for every failure, or every gated action, with this signature. */
export interface StandingAnswer {
  signature: string;
  option: string;
  instruction?: string;
  by?: string;
}

/** The memory of a project, as `heddle memory` shows it. */
export interface ProjectMemory {
  project: string;
  signatures: RememberedSignature[];
  answers: StandingAnswer[];
  lessons: LessonView[];
}

/** A memory as another project gives it. */
export interface MemoryImport extends Pick<ProjectMemory, 'signatures' | 'answers'> {
  lessons: Lesson[];
}

/** With the time (ms) at which it was seen or said: the later word wins, whichever task ends first. */
export type Dated<T> = T & { at: number };

/** Facts that a task has learned itself so far: plain JSON, bounded, newest last. The project's memory is not in here. */
export interface Learned {
  signatures: Dated<RememberedSignature>[];
  answers: Dated<StandingAnswer>[];
}

/** Facts that one task tells its project when it ends. */
export interface Teaching extends Learned {
  taskId: string;
  lessons?: LearnedLesson[];
  /** The use of the lessons that its attempts were shown, by their ids. */
  uses?: Record<string, LessonUse>;
  /** Age in milliseconds at which a lesson that never helped is retired; present where the task had lessons. */
  expire?: number;
}

/** The state of a project's workflow, carried to its next run. */
export interface ProjectState extends Learned {
  version: 1;
  project: string;
  /** Oldest first. */
  lessons: Lesson[];
  /** Signatures, and ids of lessons, that a person forgot: what was learned before does not bring them back. */
  forgotten: Dated<{ signature: string }>[];
  /** Tasks whose teachings were taken. */
  taught: string[];
  /** Messages that could not be taken: how many, and the last ones in words. */
  refused: { count: number; last: string[] };
}

/** The answer to a change of the memory: small, since many of them may end in one workflow task. */
export interface MemoryChanged {
  project: string;
  signatures: number;
  answers: number;
  lessons: number;
}
