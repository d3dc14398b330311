/* Judges in a report, and the calibration of their confidence. */
import { describe, expect, test } from 'vitest';
import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import { computeCalibration, judgeFigures } from '../../../domain/report/judges.ts';
import type { ReportDecision } from '../../../domain/report/events.ts';
import { showAttempt } from '../../../domain/task/records.ts';
import { judgementOf, recordFor } from '../support-task.ts';

const judged = (given: Parameters<typeof judgementOf>[0]): AttemptView =>
  showAttempt(recordFor('a', { judgement: judgementOf(given) }));

const answered = (
  score: number | null,
  option: string | null,
  source: ReportDecision['source'] = 'person',
): ReportDecision => ({
  id: 'a-1',
  kind: 'approval',
  subtask: 'a',
  problem: '',
  openedAt: null,
  option,
  said: null,
  by: null,
  at: null,
  source,
  score,
});

describe('the figures of judges', () => {
  test('count passed, failed, unreadable and contradicted judgements', () => {
    const records = [
      judged({}),
      judged({ outcome: 'fail', reasonCode: 'criteria-unmet' }),
      judged({ outcome: 'pass-with-warnings', reasonCode: 'verifier-unreadable' }),
      judged({ contradictions: 2 }),
      showAttempt(recordFor('b')),
    ];
    expect(judgeFigures(records)).toEqual({ judged: 4, passed: 2, failed: 1, unreadable: 1, contradictions: 2 });
  });
});

describe('calibration', () => {
  test('sorts answers of people by confidence, and counts those of the policy apart', () => {
    const bands = computeCalibration([
      answered(1, 'approve'),
      answered(0.8, 'reject'),
      answered(0.79, 'approve', 'policy'),
      answered(0.5, 'approve'),
      answered(0.49, 'edit'),
      answered(0.1, 'retry'),
      answered(null, 'approve'),
      answered(0.9, null),
    ]);
    expect(bands).toMatchObject([
      { from: 0.8, to: 1, answers: 2, approved: 1, refused: 1, byPolicy: 0, approvedShare: 0.5 },
      { from: 0.5, to: 0.8, answers: 2, approved: 1, refused: 0, byPolicy: 1, approvedShare: 1 },
      { from: 0.2, to: 0.5, answers: 1, approved: 0, refused: 1, approvedShare: 0 },
      { from: 0, to: 0.2, answers: 1, approved: 0, refused: 1 },
    ]);
  });
});
