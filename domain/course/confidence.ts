import type { Approval } from '../model/subtask.ts';
import { defaultTaskLimits, type TaskLimits } from '../task-limits.ts';

/** How sure a finished subtask is, 0 to 1. A part that did not take place is left out of the divisor. */
export function confidence(facts: {
  checksPassed: boolean;
  warnings: boolean;
  attempts: number;
  /** Something ran that a gate had asked about. */
  gated: boolean;
}): number {
  const parts: [weight: number, value: number][] = [
    [0.3, facts.checksPassed ? (facts.warnings ? 0.5 : 1) : 0],
    [0.2, facts.attempts <= 1 ? 1 : 0],
    [0.1, facts.gated ? 0 : 1],
    [0.1, 1], // its own tools: an exit code of 0
  ];
  const weight = parts.reduce((sum, [w]) => sum + w, 0);
  return parts.reduce((sum, [w, value]) => sum + w * value, 0) / weight;
}

export type ApprovalStep = 'proceed' | 'ask' | 'ask-then-proceed';

/** What the approval mode makes of a confidence. */
export function approvalStep(
  approval: Approval,
  score: number,
  { proceedAt, askAt }: Pick<TaskLimits, 'proceedAt' | 'askAt'> = defaultTaskLimits,
): ApprovalStep {
  switch (approval.mode) {
    case 'off':
      return 'proceed';
    case 'manual':
      return 'ask';
    case 'threshold':
      return score >= approval.at ? 'proceed' : 'ask';
    case 'auto':
      return score >= proceedAt ? 'proceed' : score >= askAt ? 'ask-then-proceed' : 'ask';
  }
}
