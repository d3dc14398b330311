import type { AttemptView } from '../types/attempt-view.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ReportDecision } from './events.ts';

/** What judges did in a task. */
export interface JudgeFigures {
  /** Attempts that were judged. */
  judged: number;
  passed: number;
  failed: number;
  /** Nobody could read what they said, or none could be asked: the checks stood alone. */
  unreadable: number;
  /** How often the files contradicted what they claimed. */
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

/** How people decided about results of one band of confidence. */
export interface CalibrationBand {
  from: number;
  to: number;
  /** Results that somebody was asked about, and answered. */
  answers: number;
  approved: number;
  /** Accepted by nobody as they were: a change was asked for, or they were refused. */
  refused: number;
  /** Answered by the policy at a deadline: they say nothing about the score. */
  byPolicy: number;
  /** Of those that people answered; null where there are none. */
  approvedShare: number | null;
}

const edges = [1, limits.proceedAt, limits.askAt, limits.failBelow, 0] as const;

/** Whether scores mean what they say: of results with a high one people should accept more. */
export function calibrationOf(decisions: readonly ReportDecision[]): CalibrationBand[] {
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
