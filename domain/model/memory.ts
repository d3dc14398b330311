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

/** An answer that holds for every failure with this signature. */
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

/** What one task has to tell. */
export interface Lesson {
  taskId: string;
  signatures: RememberedSignature[];
  answers: StandingAnswer[];
}
