import type { LoggedEvent } from '../types/events.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import { attemptsBySubtask, costOf, endOf, failurePatterns, modelsOf, recoveredOf, tally } from './attempts.ts';
import type { FailurePattern, RecoveredSubtask, ReportCost } from './attempts.ts';
import type { RoleUse } from '../llm/sum-uses.ts';
import { blockedOf, decisionsOf, journalOf, reusedOf } from './events.ts';
import type { BlockedSubtask, JournalEntry, ReportDecision } from './events.ts';
import { judgeFigures, type JudgeFigures } from './judges.ts';
import { skippedOf, type SkippedSubtask } from './skipped.ts';
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
  attempts: AttemptFigures;
  failuresByType: Record<string, number>;
  failuresBySignature: Record<string, FailurePattern>;
  /** Subtasks that were completed after more than one attempt, by the rung that did it. */
  recoveryByRung: Record<string, number>;
  /** The same by the failure that they met, and of these again by rung. */
  recoveryBySignature: Record<string, { subtasks: number; byRung: Record<string, number> }>;
  recovered: RecoveredSubtask[];
  cost: ReportCost;
  /** What each model did in each role, for the plan and in all attempts, the dearest first. */
  models: RoleUse[];
  /** What models made of results that had passed their checks. */
  judges: JudgeFigures;
  budget: StatusView['budget'];
  decisions: ReportDecision[];
  /** Created, modified or deleted by an attempt. */
  files: string[];
  failed: { id: string; reason: string | null }[];
  blocked: BlockedSubtask[];
  skipped: SkippedSubtask[];
  /** Completed, but only partly: what is missing was allowed to be. */
  partial: string[];
  /** Completed, and nothing looked at their results. */
  unchecked: string[];
  /** Taken over from an earlier task; null when it is not known from which. */
  reused: { id: string; from: string | null }[];
  reruns: { subtask: string; attempt: number; count: number }[];
  /** For a sick environment; they count as no attempt. */
  waits: { subtask: string; attempt: number; at: string; ms: number; reason: string }[];
  /** What else happened to the task: steering, pauses, budgets, new plans. */
  journal: JournalEntry[];
  records: AttemptView[];
}

/** Rates are of the subtasks that were tried and that something checked; a subtask is a success only when it is completed, whatever an attempt said. */
export interface AttemptFigures {
  total: number;
  firstTryRate: number;
  recovered: number;
  /** Questions to a person because of a failure. */
  escalated: number;
  /** Runs of the same attempt after a crash. */
  reruns: number;
  tried: number;
  firstTry: number;
  retried: number;
  passed: number;
  /** Ended well, and nothing looked at the result: no pass. */
  unchecked: number;
  failed: number;
  cancelled: number;
  running: number;
  waits: number;
  waitMs: number;
}

/** Counts what the status, the attempts and the events tell. It asks no clock: the same task gives the same report. */
export function buildReport(status: StatusView, records: AttemptView[], events: readonly LoggedEvent[]): Report {
  const failures = records.filter(({ outcome }) => outcome === 'failed');
  const decisions = decisionsOf(events, status.decisions);
  const recovered = recoveredOf(status, records, decisions);
  const patterns = failurePatterns(failures, recovered);
  const reused = reusedOf(status, records, events);
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
    attempts: attemptFigures(status, records, decisions, recovered.length),
    failuresByType: tally(failures.map(({ type }) => type ?? 'unknown')),
    failuresBySignature: patterns,
    recoveryByRung: tally(recovered.map(({ rung }) => String(rung))),
    recoveryBySignature: recoveryBySignature(recovered),
    recovered,
    cost: costOf(status, records, recovered),
    models: modelsOf(records, status.planner ?? []),
    judges: judgeFigures(records),
    budget: status.budget,
    decisions,
    files: filesOf(records),
    failed: withState('failed').map(({ id, reason }) => ({ id, reason })),
    blocked: blockedOf(status, events),
    skipped: skippedOf(status, records),
    partial: partial.map(({ id }) => id),
    unchecked: withState('completed')
      .filter(({ verdict }) => verdict === 'unchecked')
      .map(({ id }) => id),
    reused,
    reruns: records
      .filter(({ reruns }) => reruns > 0)
      .map(({ subtask, attempt, reruns }) => ({ subtask, attempt, count: reruns })),
    waits: records.flatMap(({ subtask, attempt, waits }) => waits.map((wait) => ({ subtask, attempt, ...wait }))),
    journal: journalOf(events),
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
  // One that runs for the first time has not been tried to an end: it would lower the rate of a task that goes well.
  const isTried = (own: readonly AttemptView[]): boolean => own.length > 1 || own[0]?.outcome !== 'running';
  const isUnchecked = (record: AttemptView | undefined): boolean =>
    record !== undefined && endOf(record) === 'unchecked';
  // What ended without any check says nothing about how well first tries do.
  const tried = groups.filter(([, own]) => isTried(own) && !isUnchecked(own.at(-1))).length;
  const firstTry = groups.filter(
    ([id, own]) => completed.has(id) && own.length === 1 && own[0] !== undefined && endOf(own[0]) === 'passed',
  ).length;
  const ended = (end: ReturnType<typeof endOf>): number => records.filter((record) => endOf(record) === end).length;
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

function filesOf(records: readonly AttemptView[]): string[] {
  const changed = records.flatMap(({ filesAffected }) => filesAffected.filter(({ state }) => isChange[state]));
  return [...new Set(changed.map(({ path }) => path))].sort();
}
