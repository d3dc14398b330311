/** What a project knows of one failure. */
export interface RememberedSignature {
  signature: string;
  type: string;
  summary: string;
  /** How often it was seen. */
  count: number;
  /** The rung that fixed it last, by its number in the whole ladder. */
  fixedAtRung: number | null;
  /** What helped: a person's words, or the program's own. Empty when nobody said. */
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

/** What a task has seen and been told itself so far: plain JSON, bounded, newest last. What it inherited is not in here. */
export interface Learned {
  signatures: Dated<RememberedSignature>[];
  answers: Dated<StandingAnswer>[];
}

/** What one task has to tell. */
export interface Lesson extends Learned {
  taskId: string;
}

/** What a project's workflow holds and carries to its next run. */
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

/** What a change of the memory answers: small, since many of them may end in one workflow task. */
export interface MemoryChanged {
  project: string;
  signatures: number;
  answers: number;
}
