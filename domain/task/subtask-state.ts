import type { ProgramPermit } from '../types/agent.ts';
import type { CheckAnswer } from '../types/basic/gate.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { Diagnosis, PastFailure } from '../types/attempt.ts';
import type { Climb, Strategy } from '../types/ladder.ts';
import type { PlanRow } from '../types/plan.ts';
import type { Remedy } from '../types/remedy.ts';
import { firstClimb } from '../recovery/ladder.ts';
import type { Phase } from './subtask-phase.ts';

/** A failed attempt: as the next one is told of it, and how it was made, for a person. */
export interface FailedAttempt
  extends PastFailure, Pick<AttemptRecord, 'startedAt' | 'tier' | 'thinking' | 'session'> {}

/** A subtask: its phase, and beside it the facts that outlive a phase. Only `enterPhase` changes the phase. */
export interface SubtaskState {
  id: string;
  phase: Phase;
  /** Number of dependencies that have not ended well yet. It may start at zero. */
  waitsFor: number;
  startedAt: number | null;
  climb: Climb;
  strategy: Strategy;
  environmentWaits: number;
  /** Failed attempts, newest last, bounded: the next one is told of them. Emptied when the subtask has ended. */
  failures: FailedAttempt[];
  /** Number of failures of each type: some types make the next time limit longer. */
  failureCounts: Partial<Record<FailureType, number>>;
  /** Signatures of its failures: a fix explains them all. */
  failureSignatures: string[];
  /** Cost and time of its failed attempts, for the person who decides about another one. */
  spentOnFailures: { attempts: number; costUsd: number; ms: number };
  /** A model's diagnosis of its failures, once asked; null: the model found nothing. */
  diagnosis?: Diagnosis | null;
  /** Guidance of people, newest last: it comes first in the next prompt. */
  guidance: string[];
  /** Hint of the project's memory about the last failure. */
  hint: string | null;
  /** Number of questions about it, apart from those that its attempts ask. */
  decisionCount: number;
  /** The attempt whose failure a model was last asked to reword. */
  rewordedAttempt?: number;
  /** A person's permission for its program: it holds for all attempts. */
  permit?: ProgramPermit;
  /** People's answers about its verify commands. */
  checkAnswers?: CheckAnswer[];
  /** One of its attempts read texts that anybody may have written. */
  readOutside?: true;
  /** Lessons that its prompts showed. */
  recalled?: string[];
  /** Words with which people corrected it, until it ends. */
  corrections?: string[];
  /** The page of its evidence over all attempts. */
  evidence?: Ref;
  /** The evidence that it owes. */
  remedy?: Remedy;
  /** Its dependents were freed with the result of its item, before it has ended. */
  released?: true;
  /** The version of the plan that last defined it, after the first. */
  planVersion?: number;
}

/** The state of a subtask of which nothing has run. */
export function newSubtask(row: PlanRow): SubtaskState {
  return {
    id: row.id,
    phase: { name: 'waiting' },
    waitsFor: row.dependsOn.length,
    startedAt: null,
    climb: firstClimb(row.maxAttempts),
    strategy: 'first',
    environmentWaits: 0,
    failures: [],
    failureCounts: {},
    failureSignatures: [],
    spentOnFailures: { attempts: 0, costUsd: 0, ms: 0 },
    guidance: [],
    hint: null,
    decisionCount: 0,
  };
}
