import type { ErrorCode } from '../errors/error-codes.ts';
import type { ModelUse } from './agent.ts';
import type { CliSession, Denial } from './basic/completion-contract.ts';
import type { VerifyCommandResult } from './attempt.ts';
import type { FailureCategory, FailureType } from './basic/failure-types.ts';
import type { Judgement } from './judgement.ts';
import type { Restored, ToolFailure } from './outcome.ts';
import type { FileState, Ref } from './basic/ref.ts';

/**
 * One attempt at a subtask: what was tried, how it ended and why. Its output is in the store, behind `outputRef`.
 *
 * @example
 * ```ts
 * for (const { subtask, attempt, outcome, summary } of await task.attempts()) console.log(subtask, attempt, outcome, summary);
 * ```
 */
export interface AttemptView {
  subtask: string;
  attempt: number;
  rung: number;
  tier: number;
  thinking: boolean;
  strategy: string;
  startedAt: string;
  endedAt: string | null;
  outcome: 'running' | 'passed' | 'failed' | 'cancelled';
  type: FailureType | null;
  category: FailureCategory | null;
  signature: string | null;
  /** The code of a failure that has an entry in docs/errors.md. */
  code?: ErrorCode;
  summary: string;
  details: string;
  rootCause: string;
  suggestedFix: string;
  filesAffected: FileState[];
  verify: Pick<VerifyCommandResult, 'command' | 'name' | 'exit' | 'summary' | 'sandboxed'>[];
  verdict: string | null;
  reruns: number;
  /** Waits for the environment that delayed this attempt. */
  waits: { at: string; ms: number; reason: string }[];
  tokens: number;
  /** Cost in US dollars; null where nobody knows it. */
  costUsd: number | null;
  /** The known part of a cost that is not known as a whole. */
  costKnownUsd?: number;
  /** The work of an agent; zero and empty for a program. */
  modelCalls: number;
  toolCalls: number;
  /** An agent's tool calls that failed, by tool; absent where none did. */
  toolFailures?: ToolFailure[];
  models: ModelUse[];
  outputRef: string | null;
  /** The whole conversation of an agent. */
  transcriptRef: string | null;
  /** The evidence of the subtask after this attempt; absent where there is none. */
  evidence?: Ref;
  /** An agent program's own conversation, and the actions that its own rules did not allow it. */
  session?: CliSession;
  denied?: Denial[];
  /** Outcome of the restoration, on a rung with `restore: true`. */
  restored?: Restored;
  /** The judgement of its judges, where it had any. */
  judgement?: Judgement;
  /** Confidence in its result, 0 to 1, when it passed. */
  confidence?: number;
  /** The cause of the failures before it, as a model sees it: `rootCause` is by rules. */
  diagnosis?: { cause: string; by: 'model' };
  /** Ids of the lessons that its prompt showed. */
  lessons?: string[];
}
