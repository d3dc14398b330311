import type { PlanRow } from '../types/plan.ts';
import { firstClimb } from '../recovery/ladder.ts';
import type { Grant, PersonReply, ProgramPermit } from '../types/agent.ts';
import type { CheckAnswer } from '../types/basic/gate.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Diagnosis, PastFailure, Verdict } from '../types/attempt.ts';
import type { Result, ResumePoint } from '../types/events.ts';
import type { Climb, Strategy } from '../types/ladder.ts';
import type { SuspendReason } from '../types/outcome.ts';
import type { SubtaskStatus } from '../types/subtask.ts';

/** A failed attempt: as the next one is told of it, and how it was made, for a person. */
export interface FailedAttempt
  extends PastFailure, Pick<AttemptRecord, 'startedAt' | 'tier' | 'thinking' | 'session'> {}

export interface SubtaskState {
  id: string;
  status: SubtaskStatus;
  /** Dependencies that have not ended well yet. It may start at zero. */
  waitsFor: number;
  climb: Climb;
  /** The attempt that stands still; the next start goes on with it instead of counting a new one. */
  suspended: { why: SuspendReason; goesOn: ResumePoint; starved?: true } | null;
  /** What a model found out about its failures, once asked; null: nothing. */
  diagnosis?: Diagnosis | null;
  /** The attempt whose failure a model was last asked to put into words. */
  phrased?: number;
  /** What its running execution may spend. Held until it tells what it spent, or the attempt has ended. */
  grant?: Grant;
  /** What a person said to the attempt: given again with every execution of it, since nobody knows which one took it. */
  resume?: PersonReply;
  /** What a person allowed its program: it holds for all attempts. */
  permit?: ProgramPermit;
  /** What people said about its verify commands. */
  checks?: CheckAnswer[];
  /** Not started before this time (ms): a backoff, or a wait for the environment. */
  notBefore: number | null;
  environmentWaits: number;
  /** What a person said, newest last: it comes first in the next prompt. */
  guidance: string[];
  /** What the project's memory said about the last failure. */
  hint: string | null;
  strategy: Strategy;
  decision: string | null;
  decisions: number;
  verdict: Verdict['outcome'] | null;
  result: Result | null;
  /** Failed attempts, newest last, bounded: the next one is told of them. Emptied when the subtask has ended. */
  failures: FailedAttempt[];
  /** Signatures of its failures: what fixes it explains them all. */
  met: string[];
  /** How often each type of failure was met: some make the next time limit longer. */
  failed: Partial<Record<FailureType, number>>;
  /** What its failed attempts took, for whoever decides about another one. */
  spent: { attempts: number; costUsd: number; ms: number };
  /** Why it failed, is blocked or was skipped. */
  reason: string | null;
  startedAt: number | null;
  endedAt: number | null;
  /** The version of the plan that last defined it, after the first. */
  version?: number;
  /** What runs of it was started by an older plan. It holds its slot until it has stopped. */
  stale?: Stale;
}

export interface Stale {
  /** The plan that started it. */
  version: number;
  /** What it writes, whatever the new plan says. */
  deliverables: string[];
  /** Why the subtask ends with it. */
  superseded?: string;
  /** How it ends, where not the new plan but something that it now waits for is the reason. */
  ends?: { type: 'subtask.skipped' } | { type: 'subtask.blocked'; independent: number };
}

/** The state of a subtask of which nothing has run. */
export function newSubtask(row: PlanRow): SubtaskState {
  return {
    id: row.id,
    status: 'pending',
    waitsFor: row.dependsOn.length,
    climb: firstClimb(row.maxAttempts),
    suspended: null,
    notBefore: null,
    environmentWaits: 0,
    guidance: [],
    hint: null,
    strategy: 'first',
    decision: null,
    decisions: 0,
    verdict: null,
    result: null,
    failures: [],
    met: [],
    failed: {},
    spent: { attempts: 0, costUsd: 0, ms: 0 },
    reason: null,
    startedAt: null,
    endedAt: null,
  };
}
