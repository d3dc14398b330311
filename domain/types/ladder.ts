import type { Remedy } from './remedy.ts';
import type { RetryPolicy, Tier } from './subtask.ts';

/** A rung as one subtask would use it: its tier resolved, its number that of the whole ladder. */
export interface Step {
  rung: number;
  tier: Tier;
  thinking: boolean;
  retry: RetryPolicy;
  timeout?: number;
  /** Factor of the output tokens of a model. */
  output?: number;
  /** The subtask's own changes are undone first. */
  restore?: true;
}

/** The rungs that add something for one subtask, and whether a person follows them. */
export interface Ladder {
  steps: Step[];
  person: boolean;
}

/** The place of a subtask on its ladder. `step` counts in the reduced ladder, from 0. */
export interface Climb {
  step: number;
  /** Failures by signature since the start or the last answer of a person. */
  counts: Record<string, number>;
  /** Failed attempts in a row at the current tier and thinking. */
  tierFailures: number;
  attempts: number;
  maxAttempts: number;
}

/** The project's memory of a signature. */
export interface KnownFix {
  rung: number;
  hint?: string;
}

export type LadderStep =
  | { kind: 'climb'; climb: Climb; strategy: Strategy; hint?: string }
  | { kind: 'person'; because: 'ladder' | 'max-attempts' }
  | { kind: 'fail'; because: 'ladder' | 'max-attempts' };

/** `remedy`: the evidence is owed; `try`: tried again, after the wait of the event. `owed`: the item ends unresolved. */
export type NextStep =
  | LadderStep
  | { kind: 'remedy'; item: Remedy; then: 'try' | 'release' | 'park' }
  | { kind: 'owed'; item: Remedy; why: 'failed' | 'expired'; reason: string };

/** Reason why an attempt is made the way it is. */
export type Strategy = 'first' | 'feedback' | 'stronger' | 'strongest' | 'remembered' | 'guidance' | 'remediation';
