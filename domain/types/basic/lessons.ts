import type { Ref } from './ref.ts';

/** The source of a lesson: the proof that people see beside it. */
export interface LessonOrigin {
  task: string;
  subtask: string;
  /** The signature of the failure that it is about; absent where a person's words alone are its source. */
  signature?: string;
  /** A person corrected the work. */
  correction?: true;
}

/** `candidate`: it may come from a page that the task read, so no prompt shows it. `retired`: it is kept so that it is not learned again. */
export type LessonState = 'candidate' | 'active' | 'retired';

/** One sentence that a project learned. It advises and never permits: gates, tools, trust and rules do not read it. */
export interface Lesson {
  /** `l-` and ten digits of the hash of its folded text. */
  id: string;
  text: string;
  by: 'model' | 'person';
  /** The newest origins, newest last. */
  from: LessonOrigin[];
  /** When it was learned last, in milliseconds. */
  at: number;
  /** In how many attempts it was shown, and how these ended for the failure that it is about. */
  shown: number;
  helped: number;
  hurt: number;
  state: LessonState;
  /** The reason for its retirement. */
  why?: string;
  /** Tasks of the project that ended since it was learned and that it did not help. */
  idle: number;
}

/** A lesson as `heddle memory --json` shows it. */
export interface LessonView extends Omit<Lesson, 'at' | 'idle'> {
  at: string;
}

/** A lesson that a task learned. */
export interface LearnedLesson {
  id: string;
  text: string;
  from: LessonOrigin;
  at: number;
  /** The subtask read pages or servers whose text anybody may have written. */
  candidate?: true;
  /** An older lesson that it corrects. */
  replaces?: string;
}

/** The use of a lesson in a task: counts of attempts that were shown it. */
export interface LessonUse {
  shown: number;
  helped: number;
  hurt: number;
}

/** A lesson in a prompt, and the failures that it is about. */
export interface ShownLesson {
  id: string;
  /** Signatures; empty where it is about no failure. */
  about: string[];
}

/** A lesson as a task has it: what a prompt shows, and what it is about. */
export interface ListedLesson extends ShownLesson {
  text: string;
  /** How far failures outnumber successes so far; null for a person's lesson, which no count retires. */
  balance: number | null;
}

/** The lessons of an attempt's prompt are chosen from these. */
export interface LessonContext {
  /** A `LessonList` in the store. */
  list?: Ref;
  recall: number;
  /** Lessons that the task learned itself. */
  learned?: ListedLesson[];
  /** Amounts that its own attempts add to the balance of a lesson. */
  balances?: Record<string, number>;
}

/** The lessons that a task froze when it started, and what it may do with them. */
export interface LessonSettings {
  /** A `LessonList` in the store; absent where the project has no active lesson and no model learns. */
  list: Ref;
  /** The list has active lessons. */
  hasActive?: true;
  /** Lessons that an attempt is shown at most. */
  recall: number;
  /** Age in milliseconds at which a lesson that never helped is retired. */
  expire: number;
  /** A model serves `extractor`: the task learns. */
  extracts?: true;
}
