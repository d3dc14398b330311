import type { EvidenceFigures } from '../evidence/count-evidence.ts';
import type { LoggedEvent } from '../types/events.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import {
  attemptsBySubtask,
  sumCost,
  classifyEnd,
  failurePatterns,
  sumModels,
  listRecovered,
  tally,
} from './attempts.ts';
import type { FailurePattern, RecoveredSubtask, ReportCost } from './attempts.ts';
import type { RoleUse } from '../llm/sum-uses.ts';
import { listBlocked, listDecisions, listJournal, listReused } from './events.ts';
import type { BlockedSubtask, JournalEntry, ReportDecision } from './events.ts';
import { judgeFigures, type JudgeFigures } from './judges.ts';
import { countLessons, type LessonFigures } from './lessons.ts';
import { listSkipped, type SkippedSubtask } from './skipped.ts';
import { listWork, type SubtaskWork } from './work.ts';
import type { StatusView } from '../views/task-status.ts';

/**
 * The figures of a task, as `heddle report --json` prints them.
 *
 * @example
 * ```ts
 * const { attempts, cost } = await task.report();
 * ```
 */
export interface Report {
  id: string;
  state: string;
  goal: string;
  summary: string;
  project: string | null;
  startedAt: string;
  endedAt: string | null;
  /** `failed` includes `blocked`; `completed` includes `partial`, `withWarnings`, `unchecked` and `reused`; `open` have not ended. */
  subtasks: {
    total: number;
    completed: number;
    failed: number;
    skipped: number;
    blocked: number;
    open: number;
    partial: number;
    withWarnings: number;
    unchecked: number;
    reused: number;
  };
  /** The subtasks' own reports and checks, in the order of the plan. */
  work: SubtaskWork[];
  attempts: AttemptFigures;
  failuresByType: Record<string, number>;
  failuresBySignature: Record<string, FailurePattern>;
  /** Subtasks that were completed after more than one attempt, by the rung that did it. */
  recoveryByRung: Record<string, number>;
  /** Recoveries by the failure that the subtask met, each by rung. */
  recoveryBySignature: Record<string, { subtasks: number; byRung: Record<string, number> }>;
  recovered: RecoveredSubtask[];
  cost: ReportCost;
  /** The use of each model in each role, for the plan and in all attempts, the most expensive first. */
  models: RoleUse[];
  /** The judges' results on work that had passed its checks. */
  judges: JudgeFigures;
  budget: StatusView['budget'];
  decisions: ReportDecision[];
  /** Lessons that the task learned, that its attempts were shown, and that were shown to attempts that passed. */
  lessons: LessonFigures;
  /** Claims by quality, targets without enough records, and the fate of made-up quotes; absent where nothing was recorded. */
  evidence?: EvidenceFigures;
  /** Files that an attempt created, modified or deleted. */
  files: string[];
  failed: { id: string; reason: string | null }[];
  blocked: BlockedSubtask[];
  skipped: SkippedSubtask[];
  /** Completed in part: the plan allowed something to be missing. */
  partial: string[];
  /** Completed without any check of the result. */
  unchecked: string[];
  /** Reused from an earlier task; `from` is null when that task is unknown. */
  reused: { id: string; from: string | null }[];
  reruns: { subtask: string; attempt: number; count: number }[];
  /** Waits for the environment, which do not count as attempts. */
  waits: { subtask: string; attempt: number; at: string; ms: number; reason: string }[];
  /** Other events of the task: steering, pauses, budgets, new plans. */
  journal: JournalEntry[];
  records: AttemptView[];
}

/** Rates refer to subtasks that were tried and checked; only a completed subtask is a success, whatever an attempt reported. */
export interface AttemptFigures {
  total: number;
  firstTryRate: number;
  recovered: number;
  /** Questions to a person because of a failure. */
  escalated: number;
  /** Executions of the same attempt after a crash. */
  reruns: number;
  tried: number;
  firstTry: number;
  retried: number;
  passed: number;
  /** Ended without a failure or a check: not a pass. */
  unchecked: number;
  failed: number;
  cancelled: number;
  running: number;
  waits: number;
  waitMs: number;
}

/** Counts from the status, the attempts and the events. It reads no clock, so the same task gives the same report. */
export function buildReport(status: StatusView, records: AttemptView[], events: readonly LoggedEvent[]): Report {
  const failures = records.filter(({ outcome }) => outcome === 'failed');
  const decisions = listDecisions(events, status.decisions);
  const recovered = listRecovered(status, records, decisions);
  const patterns = failurePatterns(failures, recovered);
  const reused = listReused(status, records, events);
  const models = sumModels(records, status.planner ?? []);
  const withState = (state: string) => status.subtasks.filter((subtask) => subtask.state === state);
  const partial = withState('completed').filter(
    ({ verdict, partial: isPartial }) => verdict === 'partial-verified' || isPartial === true,
  );
  return {
    id: status.id,
    state: status.state,
    goal: status.goal,
    summary: status.summary,
    project: status.project,
    startedAt: status.startedAt,
    endedAt: status.endedAt,
    subtasks: subtaskFigures(status, partial.length, reused.length),
    work: listWork(status, records),
    attempts: attemptFigures(status, records, decisions, recovered.length),
    failuresByType: tally(failures.map(({ type }) => type ?? 'unknown')),
    failuresBySignature: patterns,
    recoveryByRung: tally(recovered.map(({ rung }) => String(rung))),
    recoveryBySignature: recoveryBySignature(recovered),
    recovered,
    cost: sumCost(status, records, { recovered, models }),
    models,
    judges: judgeFigures(records),
    budget: status.budget,
    decisions,
    lessons: countLessons(records, events),
    files: listChangedFiles(records),
    failed: withState('failed').map(({ id, reason }) => ({ id, reason })),
    blocked: listBlocked(status, events),
    skipped: listSkipped(status, records),
    partial: partial.map(({ id }) => id),
    unchecked: withState('completed')
      .filter(({ verdict }) => verdict === 'unchecked')
      .map(({ id }) => id),
    reused,
    reruns: records
      .filter(({ reruns }) => reruns > 0)
      .map(({ subtask, attempt, reruns }) => ({ subtask, attempt, count: reruns })),
    waits: records.flatMap(({ subtask, attempt, waits }) => waits.map((wait) => ({ subtask, attempt, ...wait }))),
    journal: listJournal(events),
    records,
  };
}

function subtaskFigures({ subtasks }: StatusView, partial: number, reused: number): Report['subtasks'] {
  const count = (state: string): number => subtasks.filter((subtask) => subtask.state === state).length;
  const [completed, blocked, skipped] = [count('completed'), count('blocked'), count('skipped')];
  const failed = count('failed') + blocked;
  return {
    total: subtasks.length,
    completed,
    failed,
    skipped,
    blocked,
    open: subtasks.length - completed - failed - skipped,
    partial,
    withWarnings: subtasks.filter(({ state, verdict }) => state === 'completed' && verdict === 'pass-with-warnings')
      .length,
    unchecked: subtasks.filter(({ state, verdict }) => state === 'completed' && verdict === 'unchecked').length,
    reused,
  };
}

function attemptFigures(
  status: StatusView,
  records: readonly AttemptView[],
  decisions: readonly ReportDecision[],
  recovered: number,
): AttemptFigures {
  const completed = new Set(status.subtasks.filter(({ state }) => state === 'completed').map(({ id }) => id));
  const groups = [...attemptsBySubtask(records)];
  // A subtask in its first attempt does not count as tried, because it would lower the rate of a task that goes well.
  const isTried = (own: readonly AttemptView[]): boolean => own.length > 1 || own[0]?.outcome !== 'running';
  const isUnchecked = (record: AttemptView | undefined): boolean =>
    record !== undefined && classifyEnd(record) === 'unchecked';
  // A result without any check says nothing about the success of first attempts.
  const tried = groups.filter(([, own]) => isTried(own) && !isUnchecked(own.at(-1))).length;
  const firstTry = groups.filter(
    ([id, own]) => completed.has(id) && own.length === 1 && own[0] !== undefined && classifyEnd(own[0]) === 'passed',
  ).length;
  const ended = (end: ReturnType<typeof classifyEnd>): number =>
    records.filter((record) => classifyEnd(record) === end).length;
  const waits = records.flatMap((record) => record.waits);
  return {
    total: records.length,
    firstTryRate: tried === 0 ? 0 : firstTry / tried,
    recovered,
    escalated: decisions.filter(({ kind }) => kind === 'escalation').length,
    reruns: records.reduce((sum, { reruns }) => sum + reruns, 0),
    tried,
    firstTry,
    retried: groups.filter(([, own]) => own.length > 1).length,
    passed: ended('passed'),
    unchecked: ended('unchecked'),
    failed: ended('failed'),
    cancelled: ended('cancelled'),
    running: ended('running'),
    waits: waits.length,
    waitMs: waits.reduce((sum, { ms }) => sum + ms, 0),
  };
}

function recoveryBySignature(recovered: readonly RecoveredSubtask[]): Report['recoveryBySignature'] {
  const signatures = [...new Set(recovered.flatMap((subtask) => subtask.signatures))];
  return Object.fromEntries(
    signatures.map((signature) => {
      const own = recovered.filter((subtask) => subtask.signatures.includes(signature));
      return [signature, { subtasks: own.length, byRung: tally(own.map(({ rung }) => String(rung))) }];
    }),
  );
}

const isChange: Partial<Record<string, true>> = { created: true, modified: true, deleted: true };

function listChangedFiles(records: readonly AttemptView[]): string[] {
  const changed = records.flatMap(({ filesAffected }) => filesAffected.filter(({ state }) => isChange[state]));
  return [...new Set(changed.map(({ path }) => path))].sort();
}
