import type { AttemptView } from '../types/attempt-view.ts';
import { defaultTaskLimits } from '../limits/task-limits.ts';
import type { ReportDecision } from './events.ts';

/** The results of judges in a task. */
export interface JudgeFigures {
  /** Attempts that were judged. */
  judged: number;
  passed: number;
  failed: number;
  /** The replies were unreadable or no judge could be asked, so the checks alone decided. */
  unreadable: number;
  /** How often the files contradicted a judge. */
  contradictions: number;
}

export function judgeFigures(records: readonly AttemptView[]): JudgeFigures {
  const judgements = records.flatMap(({ judgement }) => judgement ?? []);
  const isUnread = ({ reasonCode }: (typeof judgements)[number]): boolean => reasonCode === 'verifier-unreadable';
  const failed = judgements.filter(({ outcome }) => outcome === 'fail').length;
  const unreadable = judgements.filter(isUnread).length;
  return {
    judged: judgements.length,
    passed: judgements.length - failed - unreadable,
    failed,
    unreadable,
    contradictions: judgements.reduce((sum, { contradictions }) => sum + contradictions, 0),
  };
}

/** The decisions of people about results in one band of confidence. */
export interface CalibrationBand {
  from: number;
  to: number;
  /** Results that were asked about and answered. */
  answers: number;
  approved: number;
  /** Not accepted: a change was asked for, or the result was refused. */
  refused: number;
  /** Answered by the policy at a deadline, which says nothing about the confidence. */
  byPolicy: number;
  /** The share among answers of people; null where there are none. */
  approvedShare: number | null;
}

const edges = [1, defaultTaskLimits.proceedAt, defaultTaskLimits.askAt, defaultTaskLimits.failBelow, 0] as const;

/** Compares confidence with people's decisions: results with a high confidence should be accepted more often. */
export function computeCalibration(decisions: readonly ReportDecision[]): CalibrationBand[] {
  const answered = decisions.filter(({ score, option }) => score !== null && option !== null);
  return edges.slice(1).map((from, index) => {
    const to = edges[index] ?? 1;
    const own = answered.filter(({ score }) => score !== null && score >= from && (score < to || to === 1));
    const people = own.filter(({ source }) => source !== 'policy');
    const approved = people.filter(({ option }) => option === 'approve').length;
    return {
      from,
      to,
      answers: own.length,
      approved,
      refused: people.length - approved,
      byPolicy: own.length - people.length,
      approvedShare: people.length === 0 ? null : approved / people.length,
    };
  });
}
