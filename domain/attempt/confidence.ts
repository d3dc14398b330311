import type { ApprovalPolicy } from '../types/subtask.ts';
import { defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';

/** Facts about a result that passed. Shares are 0 to 1. */
export interface ConfidenceFacts {
  /** Share of the checks that had nothing to say. */
  checks: number;
  /** How sure its judges are; absent where it had none. */
  judge?: number;
  /** Attempts before this one, and how many it may have. */
  retries: number;
  maxAttempts: number;
  /** Something ran that a gate had asked about. */
  destructive: boolean;
  /** Share of its tool calls that succeeded. */
  tools: number;
}

/** How sure a finished subtask is, 0 to 1. Judges that it did not have are left out of the divisor. */
export function confidence(facts: ConfidenceFacts): number {
  const { checks, judge, retries, maxAttempts, destructive, tools } = facts;
  const parts: [weight: number, value: number][] = [
    [0.3, checks],
    ...(judge === undefined ? [] : [[0.3, judge] satisfies [number, number]]),
    [0.2, 1 - retries / Math.max(1, maxAttempts)],
    [0.1, destructive ? 0 : 1],
    [0.1, tools],
  ];
  return weigh(parts);
}

/** Rounded: sums of fractions grow tails that would miss a band by nothing. */
function weigh(parts: readonly (readonly [weight: number, value: number])[]): number {
  const weight = parts.reduce((sum, [each]) => sum + each, 0);
  const sum = parts.reduce((so, [each, value]) => so + each * Math.min(1, Math.max(0, value)), 0);
  return Math.round((sum / weight) * grain) / grain;
}

const grain = 1e6;

export type ApprovalStep = 'proceed' | 'ask' | 'ask-then-proceed' | 'fail';

type Bands = Pick<TaskLimits, 'proceedAt' | 'askAt' | 'failBelow'>;

/** The step that the approval mode chooses for a confidence. */
export function approvalStep(approval: ApprovalPolicy, score: number, bands: Bands = defaultTaskLimits): ApprovalStep {
  const { proceedAt, askAt, failBelow } = bands;
  switch (approval.mode) {
    case 'off':
      return 'proceed';
    case 'manual':
      return 'ask';
    case 'threshold':
      return score >= approval.at ? 'proceed' : 'ask';
    case 'auto':
      if (score >= proceedAt) return 'proceed';
      if (score >= askAt) return 'ask-then-proceed';
      return score >= failBelow ? 'ask' : 'fail';
  }
}
