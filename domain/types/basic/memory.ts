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
}

/** With the time (ms) at which it was seen or said: the later word wins, whichever task ends first. */
export type Dated<T> = T & { at: number };

/** Facts that a task has learned itself so far: plain JSON, bounded, newest last. The project's memory is not in here. */
export interface Learned {
  signatures: Dated<RememberedSignature>[];
  answers: Dated<StandingAnswer>[];
}

/** The lesson of one task. */
export interface Lesson extends Learned {
  taskId: string;
}

/** The state of a project's workflow, carried to its next run. */
export interface ProjectState extends Learned {
  version: 1;
  project: string;
  /** Signatures that a person forgot: what was learned before does not bring them back. */
  forgotten: Dated<{ signature: string }>[];
  /** Tasks whose lessons were taken. */
  taught: string[];
  /** Messages that could not be taken: how many, and the last ones in words. */
  refused: { count: number; last: string[] };
}

/** The answer to a change of the memory: small, since many of them may end in one workflow task. */
export interface MemoryChanged {
  project: string;
  signatures: number;
  answers: number;
}
