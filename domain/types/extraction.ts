import type { Grant } from './agent.ts';
import type { AttemptKey, PastFailure } from './attempt.ts';
import type { LearnedLesson, LessonContext } from './basic/lessons.ts';
import type { Ref } from './basic/ref.ts';
import type { SpentBefore } from './judgement.ts';

/** The facts that a model learns from: a subtask that has ended, and how. */
export interface LessonMaterial {
  subtask: string;
  /** Its last attempt. */
  attempt: number;
  passed: boolean;
  /** The newest failures of its work, oldest first, without what programs printed. */
  failures: PastFailure[];
  /** The executor's report on the attempt that passed. */
  notes: string;
  /** Names of the files that it changed. */
  files: string[];
  /** Words with which people corrected it. */
  corrections: string[];
  /** Ids of lessons that its prompts showed: they are not learned again from their own effect. */
  recalled: string[];
  /** It, or a subtask that it builds on, read texts that anybody may have written. */
  candidate?: true;
}

/** Input of the activity `extractLessons`. */
export interface ExtractInput extends Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt' | 'chain'> {
  /** The page of the plan that has the subtask. */
  plan: Ref;
  material: LessonMaterial;
  /** The lessons that are known already. */
  lessons: LessonContext & { list: Ref };
  grant: Grant;
}

/** The lessons of a model's reply that may be kept, and its use. */
export interface Extracted extends SpentBefore {
  lessons: Pick<LearnedLesson, 'id' | 'text' | 'replaces'>[];
}

/** A model learns from a subtask. */
export interface Extraction {
  material: LessonMaterial;
  grant: Grant;
}
