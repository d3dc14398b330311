import type { Checks, Issue } from '../../../domain/types/attempt.ts';
import type { EvidencePage, EvidenceRecord } from '../../../domain/types/basic/evidence.ts';
import type { Finished } from '../../../domain/types/outcome.ts';
import type { FileState, Stamp } from '../../../domain/types/basic/ref.ts';
import type { Content } from '../files/read-file.ts';
import type { ResolvedPath } from '../../files/resolve-in-workspace.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';

/** A declared deliverable as it was found. */
export interface Deliverable {
  path: string;
  place: ResolvedPath;
  /** Null: it is there, and nobody knows what was there before. */
  state: FileState['state'] | null;
}

/** The subject of a check: an attempt that has ended, against what the plan asks for. */
export interface CheckSubject {
  workspace: string;
  checks: Checks;
  execution: Finished;
  /** A model did the work: a deliverable that it left as it was shows nothing of what it claims. */
  byModel?: boolean;
  /** The evidence that it has and owes; absent where there is none. */
  evidence?: EvidenceSubject;
  /** Deliverables as they were before the attempt; null: nobody knows. */
  before: Stamp[] | null;
  /** Tells whether anything in the workspace changed since the attempt began; absent where nobody knows. */
  hasChanged?: (root: string) => Promise<boolean>;
}

/** The evidence of a subtask as the check looks at it. */
export interface EvidenceSubject {
  task: string;
  subtask: string;
  attempt: number;
  page: EvidencePage;
  /** Records that its text may cite: its own, and those that its dependencies hand down. */
  citable: readonly EvidenceRecord[];
  /** It is a remediation try: a target that was looked for in vain counts as met, with a warning. */
  mayBeAbsent?: true;
  /** Records of all subtasks that meet targets of the task together; absent where others will be checked later. */
  shared?: readonly EvidenceRecord[];
}

/** A file whose content the checks read. */
export interface CheckedFile {
  /** As people know it: relative to the workspace. */
  path: string;
  real: string;
  /** Named by the plan itself, not found in a folder that it names. */
  named: boolean;
}

/** Facts that every check may use. */
export interface CheckContext {
  input: CheckSubject;
  /** The workspace, symlinks resolved. */
  root: string;
  deliverables: Deliverable[];
  /** The deliverables that are files, and the files in those that are folders. */
  files: CheckedFile[];
  /** Folders with more files than are looked at, or that cannot be read. */
  unlisted: string[];
  stdout: Content;
  inspector: TextInspector;
  /** For programs that a check runs: a folder that is removed afterwards, and all their variables. */
  scratch: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Says all that is wrong, not the first thing: the next attempt should hear of everything. */
export type Check = (context: CheckContext) => Promise<Issue[]>;

/** The same of a check that may have nothing to look at. `unseen`: how many of the checks that the plan asks for looked at nothing. */
export type LookingCheck = (context: CheckContext) => Promise<{ issues: Issue[]; unseen: number }>;
