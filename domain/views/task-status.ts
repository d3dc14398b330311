import { usedNow } from '../schedule/budget-limits.ts';
import { listOpenItems, openItem, recordOf, resolveLadder, rowOf, rowsOf, subtaskOf } from '../task/read-state.ts';
import { shownStatusOf, notBeforeOf, reasonOf, endedAtOf } from '../task/subtask-phase.ts';
import type { ModelUse } from '../types/agent.ts';
import type { Decision } from '../types/decision.ts';
import { isUnpriced } from '../llm/price.ts';
import { sumUses } from '../llm/sum-uses.ts';

import { taskStatus, type TaskStatus } from '../schedule/schedule.ts';
import type { TaskState } from '../task/state.ts';
import type { ProcessView } from '../types/process.ts';
import type { Remedy } from '../types/remedy.ts';
import type { SubtaskStatus } from '../types/subtask.ts';
import type { BudgetKey } from '../types/basic/budget.ts';
import { limits } from '../limits/domain-limits.ts';
import { asClause } from '../events/sentence.ts';
import { formatDuration } from '../text/duration.ts';
import { roundUsd } from '../util/usd.ts';
import { clip, fitsBytes, oneLine, formatCount, formatList } from '../text/text.ts';

/**
 * One subtask of a {@link StatusView}.
 *
 * @example
 * ```ts
 * const { subtasks } = await task.status();
 * console.log(subtasks.filter(({ state }) => state === 'failed'));
 * ```
 */
export interface SubtaskView {
  id: string;
  state: SubtaskStatus;
  attempts: number;
  /** Attempts after which a person is asked; absent before the first one. */
  maxAttempts?: number;
  tier: number;
  rung: number;
  waitingFor: string | null;
  dependsOn: string[];
  verdict: string | null;
  /** It is completed, and by its own word only in part. */
  partial?: true;
  reason: string | null;
  startedAt: string | null;
  endedAt: string | null;
  /** Cost and tokens of its attempts so far: absent where nothing was used, or not all attempts are at hand; the cost also where it is unknown. */
  costUsd?: number;
  tokens?: number;
  /** When it may start again after a wait. */
  notBefore: string | null;
  /** Puts together what the others made, so it waits for all of them. */
  synthesis?: true;
  /** Its failure for good stops the task. */
  critical?: true;
  /** The phase of the process that it belongs to. */
  phase?: string;
  /** The worker that its attempt waits for, in words, while none takes it: added by the client, the workflow cannot know who is there. */
  waitsForWorker?: string;
}

/**
 * Evidence that a subtask owes, in a {@link StatusView}.
 *
 * @example
 * ```ts
 * const { remediations } = await task.status();
 * for (const { subtask, targets } of remediations) console.log(subtask, targets);
 * ```
 */
export interface RemediationView extends Pick<
  Remedy,
  'id' | 'strategy' | 'reasons' | 'targets' | 'blocking' | 'attempts' | 'max'
> {
  subtask: string;
  /** Its dependents go on with the result as it is. */
  released: boolean;
  queuedAt: string;
  expiresAt: string | null;
  /** When the next try begins; null while one runs, or until all others are done. */
  dueAt: string | null;
}

/**
 * The status of a task, as `heddle status --json` prints it.
 *
 * @example
 * ```ts
 * const { state, summary, decisions } = await task.status();
 * ```
 */
export interface StatusView {
  id: string;
  state: TaskStatus;
  goal: string;
  summary: string;
  project: string | null;
  host: string | null;
  workspace: string | null;
  planVersion: number;
  /** The process that the task follows. */
  process?: ProcessView;
  startedAt: string;
  endedAt: string | null;
  code: string | null;
  subtasks: SubtaskView[];
  decisions: Decision[];
  budget: Partial<Record<BudgetKey, { used: number; limit: number | null }>>;
  /** Evidence that is owed: items that are open. */
  remediations: RemediationView[];
  /** The use of the models that plan. */
  planner?: ModelUse[];
  /** The model that plans did not answer: when it is asked again, why, and the number of this wait of those that it may take. */
  plannerRetry?: { at: string; reason: string; nth: number; most: number };
  lastEventId: number;
  /** Parts that did not fit into the answer. */
  omitted?: { dependsOn: boolean; decisions: number };
}

/** The status as `heddle status --json` prints it and the query `status` answers. */
export function statusView(state: TaskState, now: number): StatusView {
  const uses = sumUse(state);
  return fit({
    id: state.id,
    state: taskStatus(state, now),
    goal: state.goal,
    summary: summarise(state, now),
    project: state.plan.settings?.project ?? null,
    host: state.plan.settings?.host ?? null,
    workspace: state.plan.settings?.workspace ?? null,
    planVersion: state.plan.current?.version ?? 0,
    ...processView(state),
    startedAt: iso(state.startedAt) ?? '',
    endedAt: iso(state.control.ended?.at ?? null),
    code: state.control.ended?.code ?? null,
    subtasks: rowsOf(state).map(({ id }) => subtaskView(state, id, uses.get(id))),
    decisions: state.decisions.open,
    budget: budgetView(state, now),
    remediations: listRemediations(state),
    ...plannerView(state),
    ...plannerRetryView(state),
    lastEventId: state.log.lastEventId,
  });
}

function listRemediations(state: TaskState): RemediationView[] {
  return listOpenItems(state).flatMap((subtask) => {
    const owner = subtaskOf(state, subtask);
    const item = openItem(state, subtask);
    if (item === undefined) return [];
    const { id, strategy, reasons, targets, blocking, attempts, max } = item;
    return [
      {
        ...{ id, subtask, strategy, reasons, targets, blocking, attempts, max },
        released: owner.released === true,
        queuedAt: iso(item.queuedAt) ?? '',
        expiresAt: iso(item.expiresAt),
        dueAt: iso(notBeforeOf(owner)),
      },
    ];
  });
}

function processView({ plan }: TaskState): Pick<StatusView, 'process'> {
  if (plan.settings?.process === undefined) return {};
  const { name, sha256, from, mode } = plan.settings.process;
  return { process: { name, sha256, from, mode } };
}

/** The use of models in the role `planner`. */
function plannerView({ planner: { spent, diagnosisUse = [] } }: TaskState): Pick<StatusView, 'planner'> {
  if (spent === undefined && diagnosisUse.length === 0) return {};
  return {
    planner: diagnosisUse.length === 0 ? (spent?.models ?? []) : sumUses([...(spent?.models ?? []), ...diagnosisUse]),
  };
}

function plannerRetryView({ planner: { wait } }: TaskState): Pick<StatusView, 'plannerRetry'> {
  const at = iso(wait?.notBefore ?? null);
  if (wait === undefined || at === null) return {};
  const { reason, nth, most } = wait;
  return { plannerRetry: { at, reason, nth, most } };
}

/**
 * A query answers at most 2 MB. What is too much is said to be missing: dependencies, which stand in the plan, then the newest
 * questions, which come up as the older ones are answered.
 */
function fit(view: StatusView): StatusView {
  const fits = (tried: StatusView): boolean => fitsBytes(JSON.stringify(tried), limits.answerBytes);
  if (fits(view)) return view;
  const subtasks = view.subtasks.map((subtask) => ({ ...subtask, dependsOn: [] }));
  let shown: StatusView = { ...view, subtasks, omitted: { dependsOn: true, decisions: 0 } };
  for (let most = view.decisions.length; most > 0 && !fits(shown);) {
    most = Math.floor(most / 2);
    const omitted = { dependsOn: true, decisions: view.decisions.length - most };
    shown = { ...shown, decisions: view.decisions.slice(0, most), omitted };
  }
  return shown;
}

interface SubtaskUse {
  attempts: number;
  tokens: number;
  /** Undefined: unknown. */
  costUsd: number | undefined;
}

/** The use of each subtask, by the records that this run holds. */
function sumUse({ log }: TaskState): ReadonlyMap<string, SubtaskUse> {
  const uses = new Map<string, SubtaskUse>();
  for (const { subtask, used, models = [] } of log.records) {
    const { attempts, tokens, costUsd } = uses.get(subtask) ?? { attempts: 0, tokens: 0, costUsd: 0 };
    const isUnknown = used.costUnknown !== undefined || costUsd === undefined || models.some(isUnpriced);
    uses.set(subtask, {
      attempts: attempts + 1,
      tokens: tokens + used.tokens,
      costUsd: isUnknown ? undefined : roundUsd(costUsd + used.costUsd),
    });
  }
  return uses;
}

/** Attempts of older runs are in the store: without them the sum would be too low. */
function useView(attempts: number, use: SubtaskUse | undefined): Pick<SubtaskView, 'costUsd' | 'tokens'> {
  if (use === undefined || use.attempts !== attempts) return {};
  const { tokens, costUsd } = use;
  return { ...(tokens > 0 ? { tokens } : {}), ...(costUsd !== undefined && costUsd > 0 ? { costUsd } : {}) };
}

function subtaskView(state: TaskState, id: string, use: SubtaskUse | undefined): SubtaskView {
  const subtask = subtaskOf(state, id);
  const { phase } = subtask;
  const completed = phase.name === 'completed' ? phase.passed : undefined;
  const reason = reasonOf(subtask) ?? waitReasonOf(state, id);
  const step = resolveLadder(state, id).steps[subtask.climb.step];
  return {
    id,
    state: shownStatusOf(subtask),
    attempts: subtask.climb.attempts,
    ...(subtask.climb.attempts > 0 ? { maxAttempts: subtask.climb.maxAttempts } : {}),
    tier: step?.tier ?? rowOf(state, id).tier,
    rung: step?.rung ?? 1,
    waitingFor: phase.name === 'asked' ? phase.decision : null,
    dependsOn: rowOf(state, id).dependsOn,
    ...(rowOf(state, id).synthesis ? { synthesis: true as const } : {}),
    ...(rowOf(state, id).critical === true ? { critical: true as const } : {}),
    ...(rowOf(state, id).phase === undefined ? {} : { phase: rowOf(state, id).phase }),
    verdict: completed?.verdict ?? null,
    ...(completed?.result.status === 'partial' ? { partial: true as const } : {}),
    reason: reason === null ? null : clip(reason, limits.summary),
    startedAt: iso(subtask.startedAt),
    endedAt: iso(endedAtOf(subtask)),
    ...useView(subtask.climb.attempts, use),
    notBefore: iso(notBeforeOf(subtask)),
  };
}

function budgetView(state: TaskState, now: number): StatusView['budget'] {
  const most = state.budget.limits;
  const used = usedNow(state, now);
  const view: StatusView['budget'] = {};
  for (const key of new Set([
    ...(Object.keys(most) as BudgetKey[]),
    ...(Object.keys(state.budget.used) as BudgetKey[]),
  ])) {
    view[key] = { used: used[key] ?? 0, limit: most[key] ?? null };
  }
  return view;
}

/** One sentence: what it is doing now, or why it waits. */
export function summarise(state: TaskState, now: number): string {
  return clip(oneLine(formatNow(state, now)), 300);
}

function formatNow(state: TaskState, now: number): string {
  switch (taskStatus(state, now)) {
    case 'planning':
      return formatPlannerWait(state) ?? 'Preparing the plan';
    case 'waiting':
      return formatWaiting(state.decisions.open);
    case 'paused':
      return `Paused: ${state.control.paused?.reason ?? ''}${state.queue.running.length > 0 ? ` (${formatList(state.queue.running)} still finishing)` : ''}`;
    case 'completed':
    case 'failed':
    case 'cancelled':
      return state.control.ended?.reason ?? '';
    case 'running':
      return formatRunning(state, now);
  }
}

function formatWaiting(decisions: readonly Decision[]): string {
  const [first] = decisions;
  if (decisions.length > 1)
    return `Waiting for ${formatCount(decisions.length, 'answer')}: ${formatList(decisions.map(({ id }) => id))}`;
  if (first?.kind === 'plan')
    return first.stalled === true
      ? 'Waiting: nothing in the plan can continue'
      : 'Waiting for your approval of the plan';
  return `Waiting for your answer about ${first?.subtask ?? (first?.kind === 'budget' ? 'the budget' : 'the planner')}`;
}

function formatRunning(state: TaskState, now: number): string {
  if (state.control.cancelling !== null) return `Stopping: ${state.control.cancelling}`;
  const parts: string[] = [];
  if (state.queue.running.length > 0)
    parts.push(`Running ${formatList(state.queue.running.map((id) => formatAttempt(state, id)))}`);
  if (state.planner.replan !== undefined) parts.push(formatPlannerWait(state) ?? 'Making a new plan');
  if (state.queue.delayed.length > 0) parts.push(formatDelayed(state, now));
  const owed = listOpenItems(state);
  if (owed.length > 0) parts.push(`evidence owed by ${formatList(owed)}`);
  if (state.decisions.open.length > 0) parts.push(`${formatCount(state.decisions.open.length, 'question')} open`);
  return parts.length === 0 ? 'Starting' : parts.join('; ');
}

/** A clock time stays true as long as nothing changes; a screen counts down to it. */
function formatPlannerWait({ planner: { wait } }: TaskState): string | undefined {
  if (wait === undefined || wait.notBefore === null) return undefined;
  return `Retrying the plan at ${new Date(wait.notBefore).toISOString().slice(11, 19)} UTC: ${asClause(wait.reason)}`;
}

/** Says that subtasks wait, and why where it is one: their rows count down. */
function formatDelayed(state: TaskState, now: number): string {
  const { delayed } = state.queue;
  const reason = delayed.length === 1 ? waitReasonOf(state, delayed[0] ?? '') : null;
  const why = reason === null ? '' : `: ${asClause(reason)}`;
  return `${formatList(delayed)} will be tried again ${formatWhen(state, now)}${why}`;
}

/** A wait that is longer than this is said: the limit of a plan may take hours. */
const soon = 5 * 60_000;

function formatWhen(state: TaskState, now: number): string {
  const times = state.queue.delayed.map((id) => notBeforeOf(subtaskOf(state, id)) ?? now);
  const first = Math.min(...times) - now;
  return first <= soon ? 'soon' : `in ${formatDuration(first)}`;
}

/** Why a subtask waits for the clock. */
function waitReasonOf(state: TaskState, id: string): string | null {
  const { phase, failures } = subtaskOf(state, id);
  if (phase.name === 'suspended' && phase.notBefore !== null) return recordOf(state, id)?.waits.at(-1)?.reason ?? null;
  return phase.name === 'delayed' ? (failures.at(-1)?.failure.summary ?? null) : null;
}

function formatAttempt(state: TaskState, id: string): string {
  const attempt = recordOf(state, id)?.attempt ?? 1;
  return attempt > 1 ? `${id} (attempt ${attempt})` : id;
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
