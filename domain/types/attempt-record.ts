import type { ModelUse } from './agent.ts';
import type { CliSession, Denial } from './basic/completion-contract.ts';
import type { Verdict, VerifyCommandResult } from './attempt.ts';
import type { Failure } from './basic/failure.ts';
import type { ShownLesson } from './basic/lessons.ts';
import type { Judgement } from './judgement.ts';
import type { Strategy } from './ladder.ts';
import type { Restored, SuspendReason, ToolFailure, ResourceUsage } from './outcome.ts';
import type { FileState, Ref } from './basic/ref.ts';
import type { Tier } from './subtask.ts';

/** One attempt as the task knows it. What the contract shows of it is an `AttemptView`. */
export interface AttemptRecord {
  subtask: string;
  attempt: number;
  rung: number;
  tier: Tier;
  thinking: boolean;
  strategy: Strategy;
  startedAt: string;
  endedAt: string | null;
  outcome: 'running' | 'passed' | 'failed' | 'cancelled';
  failure: Failure | null;
  /** Its own account of its work, when it passed. */
  notes: string;
  files: FileState[];
  verify: Pick<VerifyCommandResult, 'command' | 'name' | 'exit' | 'summary' | 'sandboxed'>[];
  verdict: Verdict['outcome'] | null;
  reruns: number;
  /** Times at which it stood still: what delayed it, and for how long where a clock decided. */
  waits: { at: string; why: SuspendReason; ms: number | null; reason: string }[];
  used: ResourceUsage;
  output: Ref | null;
  /** The models of an agent, its whole conversation, and the number of its refused tool calls. */
  models?: ModelUse[];
  transcript?: Ref;
  refusals?: number;
  /** Something ran that a gate had asked about. */
  gated?: true;
  /** The conversation and the denials of an agent program. */
  session?: CliSession;
  denied?: Denial[];
  /** Outcome of the restoration, on a rung with `restore: true`. */
  restored?: Restored;
  /** Outcome of undoing its changes, where a try of a remediation item made nothing better. */
  reverted?: Restored;
  /** Targets of the item that it found evidence for. */
  confirmed?: string[];
  /** The judgement of its judges, where it had any. */
  judgement?: Judgement;
  /** Confidence in its result, 0 to 1, when it passed. */
  confidence?: number;
  /** The page of the subtask's evidence after it. */
  evidence?: Ref;
  /** Tool calls of an agent that failed, and which. */
  failedCalls?: number;
  toolFailures?: ToolFailure[];
  /** The cause of the failures before it, as a model sees it. */
  diagnosis?: { cause: string; by: 'model' };
  /** Lessons that its prompt showed. */
  lessons?: ShownLesson[];
}
