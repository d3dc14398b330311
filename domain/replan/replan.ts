import { endBehind } from '../ending/end-dependent.ts';
import type { Grant } from '../types/agent.ts';
import type { PlanRequest } from '../types/events.ts';
import type { SpentBefore } from '../types/judgement.ts';
import type { Plan, PlanChanges, PlanSoFar } from '../types/plan.ts';
import type { FileState } from '../types/basic/ref.ts';
import { limits } from '../limits/domain-limits.ts';
import { grantForPlanner } from '../schedule/grants.ts';
import { replansLeft } from '../schedule/budget-limits.ts';
import { isHeld } from '../schedule/schedule.ts';
import { describeItem, listDroppedItems, openItem, recordOf, rowsOf, subtaskOf } from '../task/read-state.ts';
import { shownStatusOf, statusOf, staleOf, reasonOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { nothingUsed } from '../llm/usage.ts';
import { clip } from '../text/text.ts';
import { askAboutStall } from '../decisions/ask-stall.ts';
import type { RunningTask } from '../task/running-task.ts';
import { escalation } from '../decisions/escalate.ts';
import { watchBudget } from '../decisions/watch-budget.ts';
import type { PlannerOutage, PlannerRefusal } from '../types/planner.ts';
import { askForHelp, meetOutage, waitsForPlanner } from './meet-outage.ts';

/*
 * A new plan: it is asked for, a planner makes it, it takes the place of the old one. While it is made nothing of the old one starts; what
 * runs goes on. The workflow and the model test play these functions.
 */

/** The input of a planner. */
export interface Planning {
  have: PlanSoFar;
  grant: Grant;
  /** From 1: again where subtasks ended while it worked. */
  run: number;
  /** Number of this conversation among all with the model that plans: requests and replies are kept by it. */
  round: number;
  tries: number;
}

/** The outcome of a planner. Its use is told for all planners of the task so far. */
export type PlannerOutcome =
  | ({ kind: 'planned'; plan: Plan; changes: PlanChanges } & SpentBefore)
  | ({ kind: 'not-made'; problems: string[]; outage?: PlannerOutage; refusal?: PlannerRefusal } & SpentBefore);

/** Gives a planner its work, once somebody asked for a new plan and there is something that it may spend. */
export function beginReplan(task: RunningTask): Planning | null {
  const { state } = task;
  const {
    planner: { replan },
  } = state;
  if (replan === undefined || replan.grant !== undefined || state.plan.current === null || isHeld(state)) return null;
  if (waitsForPlanner(state, task.now)) return null;
  const refusal = replan.declined ?? whyNone(state, replan.runs - (replan.isUnanswered === true ? 1 : 0));
  if (refusal !== null) {
    failReplan(task, refusal);
    return null;
  }
  const grant = grantForPlanner(state);
  if (grant === null) {
    // Grants of others come back; a budget that nobody holds is spent.
    if (state.queue.running.length === 0) failReplan(task, 'no budget is left for a planner');
    return null;
  }
  if (state.planner.wait !== undefined) task.record({ type: 'plan.resumed' });
  task.record({ type: 'replan.started', grant });
  const { runs: run, request } = replan;
  const tries = state.plan.settings?.planner?.tries ?? limits.planner.tries;
  return { have: planSoFar(state, request), grant, run, round: countRounds(state), tries };
}

/** Those in which the goal was planned come first. */
function countRounds({ plan: { settings }, planner: { revision, rounds = 0 } }: TaskState): number {
  const before = settings?.planning === undefined ? 0 : (revision?.round ?? 1);
  return before + rounds;
}

function whyNone(state: TaskState, runs: number): string | null {
  if (state.plan.settings?.planner === undefined) return 'no model serves the role `planner`';
  if (replansLeft(state) <= 0) return 'the task has had all the new plans that it may have';
  return runs < limits.replanRuns ? null : 'each time, a subtask that it changes ended before the new plan was ready';
}

function planSoFar(state: TaskState, { reason, subtasks }: PlanRequest): PlanSoFar {
  const supersededIds = new Set(
    (state.plan.versions ?? []).flatMap(({ superseded }) => superseded.map(({ id }) => id)),
  );
  return {
    version: state.plan.current?.version ?? 1,
    reason,
    pages: state.plan.current?.pages ?? [],
    ...(state.plan.current?.written === undefined ? {} : { written: state.plan.current.written }),
    subtasks: rowsOf(state).map(({ id }) => {
      const subtask = subtaskOf(state, id);
      const why = reasonOf(subtask);
      const reasonPart = why === null ? {} : { reason: clip(why, limits.summary) };
      const isGone = supersededIds.has(id) ? { superseded: true as const } : {};
      const now = staleOf(subtask)?.superseded === undefined ? shownStatusOf(subtask) : 'skipped';
      return { id, status: now, attempts: subtask.climb.attempts, ...reasonPart, ...isGone };
    }),
    exhausted: subtasks.filter((id) => isLeftWaiting(state, id)),
    steering: state.control.steering.flatMap(({ text, subtask }) => (subtask === null ? [text] : [])),
    left: replansLeft(state),
  };
}

/** Takes what a planner came to. What it used counts, whatever became of the task meanwhile. */
export function takePlanned(task: RunningTask, outcome: PlannerOutcome): void {
  const { state } = task;
  const isWaitedFor = state.planner.replan?.grant !== undefined;
  const { used, models } = outcome;
  task.record({ type: 'planner.used', used, models });
  if (!isWaitedFor) return;
  if (outcome.kind === 'not-made') {
    if (meetTrouble(task, outcome)) return;
    return failReplan(task, `the reply of the planner cannot be used: ${outcome.problems.join(' ')}`);
  }
  // Else it is asked for again: the request stands.
  if (fits(state, outcome.plan, outcome.changes)) replacePlan(task, outcome.plan, outcome.changes);
}

/** Trouble with the provider is no reply: the request for a new plan stands, and waits for the provider or for a person. */
function meetTrouble(task: RunningTask, { outage, refusal }: PlannerOutcome & { kind: 'not-made' }): boolean {
  const mayAsk = task.state.plan.settings?.ladder.some(({ person }) => person) === true;
  if (outage !== undefined) return meetOutage(task, outage, { mayAsk });
  if (refusal === undefined || !mayAsk) return false;
  askForHelp(task, { kind: 'refusal', refusal });
  return true;
}

/** A planner has ended without a word about a plan. `spent`: by all planners of the task so far, where that is known. */
export function losePlanner(task: RunningTask, spent?: SpentBefore): void {
  const { used, models } = spent ?? task.state.planner.spent ?? { used: nothingUsed, models: [] };
  task.record({ type: 'planner.used', used, models });
}

/** No new plan: the subtasks that waited for it ask a person. */
export function failReplan(task: RunningTask, reason: string): void {
  const {
    planner: { replan },
  } = task.state;
  if (replan === undefined) return;
  task.record({ type: 'replan.failed', reason: clip(reason, limits.replanFailure) });
  askAgain(task, replan.request);
  if (replan.request.trigger === 'stall' && task.state.planner.replan === undefined) askAboutStall(task, reason);
  watchBudget(task);
}

/** Subtasks end while a planner works: what has ended cannot be changed, and nothing can wait for what failed. */
function fits(state: TaskState, plan: Plan, { retargeted, superseded }: PlanChanges): boolean {
  const isGone = (id: string): boolean => {
    const subtask = subtaskOf(state, id);
    return hasEnded(statusOf(subtask)) || staleOf(subtask)?.superseded !== undefined;
  };
  if ([...retargeted, ...superseded.map(({ id }) => id)].some(isGone)) return false;
  const isDead = (id: string): boolean => {
    const status = Object.hasOwn(state.subtasks, id) ? statusOf(subtaskOf(state, id)) : 'pending';
    return status === 'failed' || status === 'blocked';
  };
  return plan.rows.every(
    ({ id, dependsOn }) => (Object.hasOwn(state.subtasks, id) && isGone(id)) || !dependsOn.some(isDead),
  );
}

function replacePlan(task: RunningTask, plan: Plan, changes: PlanChanges): void {
  const { state } = task;
  const request = state.planner.replan?.request;
  const dropped = listDroppedItems(state, changes).flatMap((id) => {
    const item = openItem(state, id);
    return item === undefined ? [] : [describeItem(id, item)];
  });
  task.record({ type: 'plan.replaced', plan, changes });
  for (const facts of dropped)
    task.record({ type: 'remediation.dropped', ...facts, reason: 'a new plan changes what it is about' });
  for (const { id, reason } of changes.superseded) {
    // A running attempt is stopped first: `dropStale` ends it.
    if (statusOf(subtaskOf(state, id)) !== 'running') supersede(task, id, reason);
  }
  if (request !== undefined) askAgain(task, request);
  watchBudget(task);
}

function supersede(task: RunningTask, id: string, why: string): void {
  const version = task.state.plan.current?.version ?? 0;
  task.record({
    type: 'subtask.skipped',
    subtask: id,
    reason: `superseded by version ${version} of the plan: ${why}`,
  });
}

/** Their questions were answered with `replan`, and they are as they were. */
function askAgain(task: RunningTask, { subtasks }: PlanRequest): void {
  const { state } = task;
  for (const id of subtasks) {
    const failure = subtaskOf(state, id).failures.at(-1)?.failure;
    if (!isLeftWaiting(state, id) || failure === undefined) continue;
    task.record({ type: 'decision.opened', decision: escalation(task, id, failure, 'ladder') });
  }
}

const isLeftWaiting = (state: TaskState, id: string): boolean => subtaskOf(state, id).phase.name === 'answered';

/** Drops the outcome of an attempt of an older plan: its use was counted, and the subtask starts again or ends. `files`: those that it left changed. */
export function dropStale(task: RunningTask, id: string, files: FileState[] = []): boolean {
  const { state } = task;
  const stale = staleOf(subtaskOf(state, id));
  if (stale === undefined) return false;
  const attempt = recordOf(state, id)?.attempt ?? 1;
  task.record({ type: 'outcome.stale', subtask: id, attempt, version: stale.version, files });
  const { superseded: reason, ends } = stale;
  if (reason !== undefined && ends !== undefined) endBehind(task, id, reason, ends);
  else if (reason !== undefined) supersede(task, id, reason);
  else if (state.control.finishing)
    task.record({ type: 'subtask.skipped', subtask: id, reason: 'the task finishes with what is done' });
  watchBudget(task);
  return true;
}
