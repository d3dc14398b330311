import type { CommandExecutor, Subtask, Tier } from './subtask.ts';

/** A content-addressed object in the store. History carries these, never the bytes. */
export interface Ref {
  sha256: string;
  bytes: number;
}

/** What a program says of itself in its last line of output. */
export interface CompletionContract {
  status: 'success' | 'partial' | 'failed' | 'blocked';
  notes?: string;
  deliverablesTouched?: string[];
  costUsd?: number;
  tokens?: number;
}

/** Result of a dependency as its dependents see it. */
export interface DependencyResult {
  id: string;
  status: 'success' | 'partial' | 'skipped';
  notes: string;
  deliverables: string[];
  /** The last lines of its output. */
  preview: string;
  output?: Ref;
  /** Its files as it left them: whether they still are decides if a later run may reuse it. */
  files?: { path: string; sha256: string | null }[];
}

/** Input of the activity `executeSubtask`. */
export interface ExecuteInput {
  taskId: string;
  subtaskId: string;
  workspace: string;
  executor: CommandExecutor;
  deliverables: string[];
  attempt: number;
  tier: Tier;
  thinking: boolean;
  /** Milliseconds; the executor's own limit, changed by rung and strategy. */
  timeout: number;
  prompt: string;
  inputs: DependencyResult[];
  idempotencyKey: string;
  /** In a copy of the workspace, which is merged after verification. */
  isolation?: 'worktree';
  /** The subtask's own changes so far are undone before it starts. */
  restore?: true;
}

/** What an execution was, in facts that the classifier reads. Never an interpretation. */
export interface Execution {
  /** `exited`: see exitCode or signal. `timeout`: our time limit ended it. `crashed`: a worker died in it and the plan says to ask first. */
  end: 'exited' | 'timeout' | 'not-started' | 'crashed';
  exitCode: number | null;
  signal: string | null;
  contract?: CompletionContract;
  /** Last characters of stdout and stderr, bounded; the whole is behind `output`. */
  stdoutTail: string;
  stderrTail: string;
  stdoutBytes: number;
  stderrBytes: number;
  truncated: boolean;
  /** Both streams as the program wrote them, for people. */
  output?: Ref;
  /** stdout alone: what checks read. */
  stdout?: Ref;
  durationMs: number;
  /** How often a crash made this attempt start again. */
  reruns: number;
  /** Deliverables as they were before the program ran, to tell what it changed. */
  before: { path: string; sha256: string | null }[];
  /** What became of `restore`. */
  restored?: Restored;
}

/** How many files were brought back, or why none was. */
export type Restored = { files: number } | { refused: string };

/** What tier 1 looks at. */
export type Checks = Pick<
  Subtask,
  'deliverables' | 'verify' | 'requiredSections' | 'rules' | 'diff' | 'contractCheck' | 'allowPartial'
>;

/** Input of the activity `verifySubtask`. */
export interface VerifyInput {
  taskId: string;
  subtaskId: string;
  workspace: string;
  attempt: number;
  checks: Checks;
  /** Milliseconds for one verify command; the worker's own limit when absent. */
  commandTimeout?: number;
  stdout?: Ref;
  stdoutBytes: number;
  contract?: CompletionContract;
  before: { path: string; sha256: string | null }[];
  isolation?: 'worktree';
}

export type ReasonCode =
  | 'verify-command-failed'
  | 'verify-command-timeout'
  | 'deliverable-missing'
  | 'deliverable-empty'
  | 'deliverable-outside'
  | 'syntax-invalid'
  | 'missing-sections'
  | 'rule-violated'
  | 'diff-invalid'
  | 'empty-output'
  | 'contract-mismatch'
  | 'partial'
  | 'merge-conflict'
  // Of verifiers that read; no check of tier 1 gives them.
  | 'evidence-gap'
  | 'unconfirmed-data'
  | 'verifier-unreadable';

/** One thing that a check found. */
export interface Issue {
  code: ReasonCode;
  severity: 'hard' | 'advisory';
  /** One plain sentence with the name of what is wrong, written for the next attempt. */
  message: string;
  path?: string;
  /** Missing section names, failing lines: bounded. */
  details?: string;
}

export interface VerifyCommandResult {
  command: string;
  exit: number | null;
  /** Last lines of what it printed, at most 200 characters. */
  summary: string;
  output?: Ref;
}

export interface FileState {
  path: string;
  state: 'created' | 'modified' | 'unchanged' | 'missing' | 'deleted';
  lines: number;
}

export interface Verdict {
  outcome: 'pass' | 'pass-with-warnings' | 'partial-verified' | 'fail';
  issues: Issue[];
  commands: VerifyCommandResult[];
  files: FileState[];
  /** The deliverables of a result that passed, as they were then. */
  after?: { path: string; sha256: string | null }[];
}
