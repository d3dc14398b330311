import type { RepositoryChange } from './basic/workspace.ts';
import type { Ask, ModelUse } from './agent.ts';
import type { CliSession, CompletionContract, Denial } from './basic/completion-contract.ts';
import type { Failure } from './basic/failure.ts';
import type { ShownLesson } from './basic/lessons.ts';
import type { FileState, Ref } from './basic/ref.ts';

/** Number of files that were brought back, or the reason why none was. */
export type Restored =
  /** `left`: changes that stay, since others may have made them or have changed them since. */
  { files: number; left?: number } | { refused: string };

/** Use of all executions of one attempt together: activity tries that a retry policy absorbed count too. */
export interface ResourceUsage {
  /** The cost as far as it is known. */
  costUsd: number;
  tokens: number;
  /** A program that costs money did not say how much, or nothing that can be true. */
  costUnknown?: true;
  /** Known of agents; a program does not tell. */
  modelCalls?: number;
  toolCalls?: number;
  mutations?: number;
}

/** Facts of every outcome. */
interface OutcomeFacts {
  used: ResourceUsage;
  /** Number of times that a crash made this attempt start again, in all its executions. */
  reruns: number;
  /** Both streams of a program, for people. */
  output?: Ref;
  restored?: Restored;
  /** The models of an agent, and its whole conversation for people. */
  models?: ModelUse[];
  transcript?: Ref;
  /** Tool calls that were refused in this execution: bounded. */
  refusals?: { tool: string; why: string }[];
  /** Repositories that its commands made in the workspace, or took programs out of again: bounded. */
  repositories?: RepositoryChange[];
  /** Something ran that a gate had asked about. */
  gated?: true;
  /** An agent program's own conversation, and the actions that its own rules did not allow it. */
  session?: CliSession;
  denied?: Denial[];
  /** The page of the subtask's evidence after this execution, where there is any. */
  evidence?: Ref;
  /** Tool calls of an agent that failed, and which; bounded. */
  failedCalls?: number;
  toolFailures?: ToolFailure[];
  /** Lessons that its prompt showed. */
  lessons?: ShownLesson[];
  /** It read texts that anybody may have written: pages, or what foreign servers say. */
  readOutside?: true;
}

/** Calls of one tool that failed in an attempt. */
export interface ToolFailure {
  tool: string;
  calls: number;
  /** The result of the last of them, in one bounded line. */
  last: string;
  /** No later call made up for the last of them. */
  left?: true;
}

/** It ran to its end and says it is done: now it is checked. */
export interface Finished extends OutcomeFacts {
  kind: 'finished';
  contract?: CompletionContract;
  /** The last lines that it printed, bounded. */
  preview: string;
  /** The stream that checks read. */
  stdout?: Ref;
  stdoutBytes: number;
}

/** It failed before anything was checked. The tails of a program are evidence inside the failure's details. */
export interface Failed extends OutcomeFacts {
  kind: 'failed';
  failure: Failure;
  /** Files that it left changed in the workspace, as far as that is sure; bounded. */
  files?: FileState[];
}

/** Reason why an attempt is suspended. */
export type SuspendReason = 'approval' | 'question' | 'unknown-effect' | 'budget' | 'wait' | 'environment' | 'pause';

/** It goes on later as the same attempt, with its number and key: after a decision, a wait or a grant. */
export interface Suspended extends OutcomeFacts {
  kind: 'suspended';
  why: SuspendReason;
  /** One plain sentence. */
  reason: string;
  /** Milliseconds to wait; null when something else wakes it. */
  waitMs: number | null;
  /** Its question to a person. */
  asks?: Ask;
  /** The executor's own state, for the next execution. */
  checkpoint: Ref | null;
}

/** The result of one execution. `docs/glossary.md` defines the levels: an attempt contains executions, an execution contains activity tries. */
export type Outcome = Finished | Failed | Suspended;

/** Details of the `transient` failure that an activity throws for its retry policy: what the last try was. */
export interface LastTry {
  failure: Failure;
  used: ResourceUsage;
  reruns: number;
  output?: Ref;
  models?: ModelUse[];
}
