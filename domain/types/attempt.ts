import type { AgentInput, ProgramPermit } from './agent.ts';
import type { Denial } from './basic/completion-contract.ts';
import type { InheritedPage } from './basic/evidence.ts';
import type { Failure } from './basic/failure.ts';
import type { LessonContext } from './basic/lessons.ts';
import type { CheckAnswer } from './basic/gate.ts';
import type { EvidenceReason } from './basic/remediation.ts';
import type { Finished } from './outcome.ts';
import type { FileState, Ref, Stamp } from './basic/ref.ts';
import type { Subtask, Tier } from './subtask.ts';
import type { PromptRoom } from '../limits/task-limits.ts';

/** Result of a dependency as its dependents see it. */
export interface DependencyResult {
  id: string;
  status: 'success' | 'partial' | 'skipped';
  notes: string;
  deliverables: string[];
  /** The last lines of its output. */
  preview: string;
  output?: Ref;
  /** The task that made it; a task that reuses it is another one. */
  task?: string;
  /** The page of its evidence, where it has any. */
  evidence?: Ref;
  /** Its files as it left them: whether they still are decides if a later run may reuse it. */
  files?: Stamp[];
}

/** The result of a dependency by reference: a skipped one has none, and is told as missing. */
export interface InputRef {
  id: string;
  status: DependencyResult['status'];
  /** Reason why there is no result. */
  notes: string;
  result: Ref | null;
  /** The page of its evidence, where it has any. */
  evidence?: Ref;
}

/** The part of a prompt that is not the task itself. */
export interface PromptContext {
  /** Guidance of people who were asked, newest last. */
  guidance: string[];
  /** Steering of people who were not asked. */
  steering: string[];
  /** Failures before this attempt, from the second attempt on. */
  /** Evidence that is owed, and that this attempt is made for. */
  remediation?: { reasons: EvidenceReason[]; targets: string[] };
  retry: { maxAttempts: number; failures: PastFailure[]; hint: string | null; diagnosis?: Diagnosis } | null;
  /** Room for parts of the prompt, where the config gives more or less. */
  room?: Partial<PromptRoom>;
  /** The source of the lessons in the prompt; absent where the project has none. */
  lessons?: LessonContext;
}

/** A model's diagnosis of the failures before the strongest attempt. */
export interface Diagnosis {
  cause: string;
  actions: string[];
  guardrails: string[];
  successCriteria: string[];
}

/** A failed attempt as the next one is told of it. */
export interface PastFailure {
  attempt: number;
  endedAt: string;
  failure: Failure;
  files: FileState[];
  /** Actions that an agent program was not allowed. */
  denied?: Denial[];
}

/** Identifies an attempt, on a machine where two servers may run tasks with the same id. */
export interface AttemptKey {
  taskId: string;
  subtaskId: string;
  attempt: number;
  /** The first run id of the workflow's chain: kept by continue-as-new, another for a workflow of another server. */
  chain: string;
  /** Time at which the attempt began, as its record says: the same through waits and continue-as-new, another after a reset. */
  startedAt: string;
}

/** Input of the activity `executeSubtask`: what changes from attempt to attempt. The definition is in the plan's page. */
export interface ExecuteInput extends AttemptKey {
  /** The page of the plan that holds the definition. */
  plan: Ref;
  workspace: string;
  tier: Tier;
  thinking: boolean;
  /** Time limit in milliseconds: the executor's own, changed by rung and strategy. */
  timeout: number;
  context: PromptContext;
  inputs: InputRef[];
  /** The page of the subtask's own evidence before this attempt. */
  evidence?: Ref;
  /** Evidence of the whole task, for a remediation try. */
  taskEvidence?: InheritedPage[];
  idempotencyKey: string;
  /** The subtask's own changes so far are undone before it starts. */
  restore?: true;
  /** The input of an agent. */
  agent?: AgentInput;
  /** The conversation of the attempt before, which an agent program continues. */
  session?: string;
  /** A person's permission for a program. */
  permit?: ProgramPermit;
}

/** The checks of tier 1. */
export type Checks = Pick<
  Subtask,
  | 'deliverables'
  | 'verify'
  | 'checkNames'
  | 'requiredSections'
  | 'rules'
  | 'evidence'
  | 'diff'
  | 'contractCheck'
  | 'toolFailures'
  | 'allowPartial'
>;

/** Input of the activity `verifySubtask`. */
export interface VerifyInput extends AttemptKey {
  plan: Ref;
  workspace: string;
  /** Time limit of one verify command, in milliseconds; the worker's own when absent. */
  commandTimeout?: number;
  execution: Finished;
  /** People's answers about its verify commands. */
  checks?: CheckAnswer[];
  /** It was begun before and lost: its commands may still be running. */
  again?: true;
  /** Targets of the item that a remediation try is about. */
  owed?: string[];
  /** Evidence of others, where targets of the task are checked now. */
  shared?: SharedEvidence;
  /** It is judged next: what was done in a copy is merged after that, by `mergeSubtask`. */
  judged?: true;
}

/** Input of the activity `mergeSubtask`: what passed its checks and its judges in a copy. */
export interface MergeInput extends VerifyInput {
  verdict: Verdict;
}

/** Evidence of the other subtasks that meet targets of the task together. */
export interface SharedEvidence {
  pages: InheritedPage[];
}

/** Input of the activity `revertAttempt`. */
export interface RevertInput extends Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt'> {
  workspace: string;
  /** It worked in a copy, which is given up. */
  isolated?: true;
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
  | 'tool-failed'
  | 'partial'
  | 'merge-conflict'
  | EvidenceReason
  // Verifiers that read give these; no check of tier 1 does.
  | 'verifier-unreadable'
  | 'verifier-contradicted'
  | 'criteria-unmet'
  | 'placeholder-left';

/** One thing that a check found. */
export interface Issue {
  code: ReasonCode;
  severity: 'hard' | 'advisory';
  /** One plain sentence with the name of what is wrong, written for the next attempt. */
  message: string;
  path?: string;
  /** Missing section names, failing lines: bounded. */
  details?: string;
  /** The criterion that a judge finds unmet, from 1. */
  criterion?: number;
  /** The target or claim that has no evidence, as the plan or a judge names it. */
  target?: string;
}

export interface VerifyCommandResult {
  command: string;
  /** The plan's name for it. */
  name?: string;
  exit: number | null;
  /** Last lines of what it printed, at most 200 characters. */
  summary: string;
  /** It ran in the sandbox. */
  sandboxed?: true;
  output?: Ref;
}

export interface Verdict {
  /** `unchecked`: nothing looked at the result. It completes the subtask and is no pass. */
  outcome: 'pass' | 'pass-with-warnings' | 'partial-verified' | 'unchecked' | 'fail';
  issues: Issue[];
  commands: VerifyCommandResult[];
  files: FileState[];
  /** The meaning of a failed verdict, classified once, here. */
  failure: Failure | null;
  /** The result that dependents are given (a `DependencyResult`), in the store; null when it failed, or is not merged yet. */
  result: Ref | null;
  /** The result as it is, where nothing but evidence is missing: it may be kept, and the evidence owed. */
  provisional?: Ref;
  /** Targets of a remediation item that this attempt has found evidence for. */
  confirmed?: string[];
  /** The page of its evidence with what the check found, where it has any. */
  evidence?: Ref;
  /** Number of checks, and of those that had no objection. */
  checks: { passed: number; total: number };
}
