import type { Ref } from './ref.ts';

/**
 * How well a claim is supported, as a program found it: its quote is in the source; the source was read; nothing of both; it was looked
 * for in vain. A judge disputes a claim, and a claim whose support was made up and that was not repaired is pruned.
 */
export type EvidenceQuality = 'confirmed' | 'sourced' | 'claimed' | 'not-found' | 'disputed' | 'pruned';

export interface EvidenceSource {
  kind: 'file' | 'git' | 'web' | 'artifact' | 'other';
  /** A path, a revision, an address; empty where the record names no source. */
  at: string;
  /** The hash of a file as it was when the record was confirmed. */
  sha256?: string;
}

/** One claim with its source. `docs/evidence.md` explains the fields. */
export interface EvidenceRecord {
  /** `gather/E3`: what `note` answers, and what a text cites as `[gather/E3]`. */
  id: string;
  claim: string;
  /** The target of the contract that it is about. */
  target?: string;
  quote?: string;
  source: EvidenceSource;
  quality: EvidenceQuality;
  by: 'agent' | 'program';
  subtask: string;
  attempt: number;
  task: string;
  /** Time at which it was recorded. */
  at: string;
  /** False: the source was looked at, and the quote is not in it. */
  quoteFound?: false;
  /** The record that took the place of this one after its quote was not found. */
  repairedBy?: string;
}

/** A record as an executor gives it. */
export interface EvidenceDraft {
  text: string;
  source?: string;
  quote?: string;
  target?: string;
}

/** A target that lacks records, and the number that it lacks. */
export interface MissingTarget {
  target: string;
  lacks: number;
  /** A judge asks for it, no contract does. */
  by?: 'judge';
}

/** The evidence of one subtask, in the store: its own records over all attempts, and where those are that its dependencies hand down. */
export interface EvidencePage {
  subtask: string;
  records: EvidenceRecord[];
  /** Targets that a check or a judge found missing last. */
  missing: MissingTarget[];
  /** Every target of the contract, with the number of records that it needs. */
  targets: OwedTarget[];
  /** Pages of the subtasks that it depends on, directly or not. */
  inherited: InheritedPage[];
}

export interface OwedTarget {
  target: string;
  each: number;
  quotes: EvidenceRules['quotes'];
}

export interface InheritedPage {
  subtask: string;
  page: Ref;
}

/** Targets, in the plan or as a JSON list in a file of the workspace. */
export interface TargetRules {
  /** Records that each target needs. */
  each: number;
  /** `required`: only records with a quote that was found count. */
  quotes: 'optional' | 'required';
  targets: string[];
  targetsFrom?: string;
}

/** The evidence that a subtask owes. */
export interface EvidenceRules extends TargetRules {
  /** Every mark such as `[gather/E3]` in its result has a record. */
  citations: boolean;
  /** The file for its records when the task ends. */
  ledger: string | false;
  /** Targets of the whole task, which the subtasks in their scope meet together. */
  shared?: TargetRules;
}

/** Input of the activity `finishTask`: where records go, and the pages that hold them. */
export interface FinishInput {
  taskId: string;
  workspace: string;
  ledgers: LedgerInput[];
}

export interface LedgerInput {
  /** The CSV, relative to the workspace. */
  path: string;
  subtasks: LedgerSubtask[];
}

/** The evidence of a subtask. The records of one that was not completed are in no ledger, but its missing targets are. */
export interface LedgerSubtask extends InheritedPage {
  completed: boolean;
}

/** The outcome of each ledger. */
export interface FinishOutcome {
  ledgers: { path: string; records: number; missing: number; trouble?: string }[];
}
