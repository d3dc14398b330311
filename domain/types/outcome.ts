import type { RepositoryChange } from './basic/workspace.ts';
import type { Ask, ModelUse } from './agent.ts';
import type { CliSession, CompletionContract, Denial } from './basic/completion-contract.ts';
import type { Failure } from './basic/failure.ts';
import type { FileState, Ref } from './basic/ref.ts';

/** How many files were brought back, or why none was. */
export type Restored = { files: number } | { refused: string };

/** What was used up, by all executions of one attempt together: tries that a retry policy absorbed count too. */
export interface ResourceUsage {
  /** As far as it is known. */
  costUsd: number;
  tokens: number;
  /** A program that costs money did not say how much, or nothing that can be true. */
  costUnknown?: true;
  /** Of agents; a program does not tell. */
  modelCalls?: number;
  toolCalls?: number;
  mutations?: number;
}

/** What every outcome tells. */
interface OutcomeFacts {
  used: ResourceUsage;
  /** How often a crash made this attempt start again, in all its executions. */
  reruns: number;
  /** Both streams of a program, for people. */
  output?: Ref;
  restored?: Restored;
  /** Of an agent: which models worked, and the whole conversation for people. */
  models?: ModelUse[];
  transcript?: Ref;
  /** Tool calls that were refused in this execution: bounded. */
  refusals?: { tool: string; why: string }[];
  /** Repositories that its commands made in the workspace, or took programs out of again: bounded. */
  repositories?: RepositoryChange[];
  /** Something ran that a gate had asked about. */
  gated?: true;
  /** Of an agent program: its own conversation, and what its own rules did not allow it. */
  session?: CliSession;
  denied?: Denial[];
  /** Tool calls of an agent that failed, and which; bounded. */
  failedCalls?: number;
  toolFailures?: ToolFailure[];
}

/** Calls of one tool that failed in an attempt. */
export interface ToolFailure {
  tool: string;
  calls: number;
  /** What the last of them came to, in one bounded line. */
  last: string;
}

/** It ran to its end and says it is done: now it is checked. */
export interface Finished extends OutcomeFacts {
  kind: 'finished';
  contract?: CompletionContract;
  /** The last lines that it printed, bounded. */
  preview: string;
  /** What checks read. */
  stdout?: Ref;
  stdoutBytes: number;
}

/** It failed before anything was checked. The tails of a program are evidence inside the failure's details. */
export interface Failed extends OutcomeFacts {
  kind: 'failed';
  failure: Failure;
  /** What it left changed in the workspace, as far as that is sure; bounded. */
  files?: FileState[];
}

/** Why an attempt stands still without having ended. */
export type SuspendReason = 'approval' | 'question' | 'unknown-effect' | 'budget' | 'wait' | 'environment' | 'pause';

/** It goes on later as the same attempt, with its number and key: after a decision, a wait or a grant. */
export interface Suspended extends OutcomeFacts {
  kind: 'suspended';
  why: SuspendReason;
  /** One plain sentence. */
  reason: string;
  /** Milliseconds to wait; null when something else wakes it. */
  waitMs: number | null;
  /** What it asks of a person. */
  asks?: Ask;
  /** Where it goes on: what the executor stored of itself. */
  checkpoint: Ref | null;
}

/** What one execution of an attempt came to. */
export type Outcome = Finished | Failed | Suspended;

/** Details of the `transient` failure that an activity throws for its retry policy: what the last try was. */
export interface LastTry {
  failure: Failure;
  used: ResourceUsage;
  reruns: number;
  output?: Ref;
  models?: ModelUse[];
}
