import { buildOptions } from './options/decision-kinds.ts';
import type { BudgetKey } from '../types/basic/budget.ts';
import type { BudgetQuestion } from '../types/decision.ts';
import { checkBudget } from '../schedule/budget-limits.ts';
import { formatAmount, formatBudget } from '../events/format-budget.ts';
import { maySpend } from '../schedule/grants.ts';
import { wantedBudget } from '../schedule/schedule.ts';
import { freeDecisionId, rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { usedNow } from '../schedule/budget-limits.ts';
import type { PlanPreview } from '../types/planner.ts';
import { roundUsd } from '../util/usd.ts';
import type { RunningTask } from '../task/running-task.ts';

/** Warns once near a limit; at it, asks once and starts nothing new until there is an answer, or stops where the plan says so. */
export function watchBudget(task: RunningTask): void {
  const { state, now } = task;
  askUnpriced(task);
  for (const { key, used, limit, level } of checkBudget(state.budget.limits, usedNow(state, now))) {
    if (state.queue.unfinished === 0 || state.control.cancelling !== null || state.control.finishing) return;
    if (level === 'exhausted' && isWanted(state, key)) exhaust(task, key);
    if (level === 'warning' && !state.budget.warned.includes(key))
      task.record({ type: 'budget.warning', key, used, limit });
  }
  const budget = wantedBudget(state, now);
  if (budget !== undefined) exhaust(task, budget);
}

/** A limit on cost means nothing where the cost is not known: a person knows that, or the plan ends. Asked once in a task. */
function askUnpriced(task: RunningTask): void {
  const { state } = task;
  const {
    budget: { limits: budget, unpriced },
    queue: { unfinished },
  } = state;
  if (state.plan.settings?.goalLimit !== undefined) return;
  if (budget.costUsd === undefined || unpriced === undefined || unpriced.accepted || unfinished === 0) return;
  if (!mayAsk(state, 'costUsd')) return;
  ask(
    task,
    'costUsd',
    `The program of ${unpriced.subtask} reported no usable cost, so the budget for cost (${budget.costUsd}) cannot be kept. If you raise the limit, unreported costs stay uncounted.`,
  );
}

/** Counts are often met exactly, by a task that is just done: they are missed only by a task that spends and has more to do. */
function isWanted(state: TaskState, key: BudgetKey): boolean {
  switch (key) {
    case 'modelCalls':
    case 'toolCalls':
    case 'mutations':
      return rowsOf(state).some((row) => maySpend(row) && isIdle(state, row.id));
    case 'costUsd':
    case 'tokens':
      return state.plan.settings?.onExhausted !== 'stop' || rowsOf(state).some(({ id }) => isIdle(state, id));
    // Asked about where one is wanted: none is offered above the limit.
    case 'replans':
    case 'remediations':
      return false;
    default:
      return true;
  }
}

function isIdle(state: TaskState, id: string): boolean {
  const status = statusOf(subtaskOf(state, id));
  return status !== 'running' && !hasEnded(status);
}

/** The rest of this limit does not do: a person raises it or ends the task, or the plan says that it ends. */
export function exhaust(task: RunningTask, key: BudgetKey): void {
  const { state, now } = task;
  if (!mayAsk(state, key)) return;
  const limit = state.budget.limits[key] ?? 0;
  task.record({ type: 'budget.exhausted', key, used: usedNow(state, now)[key] ?? 0, limit });
  ask(task, key, `${capital(formatLimit(state, key))} is used up.`);
}

/** Before anything runs: the plan may cost more than the spending limit of a goal. */
export function askAboutEstimate(task: RunningTask, estimate: PlanPreview['estimate']): void {
  const { state } = task;
  const limit = state.budget.limits.costUsd;
  const { goalLimit, onExhausted } = state.plan.settings ?? {};
  const total = roundUsd((state.budget.used.costUsd ?? 0) + estimate.costUsd);
  // An estimate is a guess: it stops no task by itself.
  if (goalLimit === undefined || limit === undefined || total <= limit || onExhausted === 'stop') return;
  const problem = `The plan may cost ${formatAmount('costUsd', total)} in all, above ${formatLimit(state, 'costUsd')}.`;
  task.record({ type: 'decision.opened', decision: budgetQuestion(task, 'costUsd', problem, { hasRun: false }) });
}

/** A limit that nobody set for this task is named with its key. */
function formatLimit({ budget, plan: { settings } }: TaskState, key: BudgetKey): string {
  const amount = formatAmount(key, budget.limits[key] ?? 0);
  const isDefault = key === 'costUsd' && settings?.goalLimit?.costUsd === budget.limits.costUsd;
  return isDefault
    ? `the spending limit for goals (${amount}, \`goalCostUsd\`)`
    : `the budget for ${formatBudget(key)} (${amount})`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const mayAsk = (
  { control: { cancelling, finishing }, decisions: { open: decisions } }: TaskState,
  key: BudgetKey,
): boolean =>
  cancelling === null && !finishing && !decisions.some((open) => open.kind === 'budget' && open.budget === key);

function ask(task: RunningTask, key: BudgetKey, problem: string): void {
  if (task.state.plan.settings?.onExhausted === 'stop') return task.stop(problem, 'BUDGET_EXHAUSTED');
  task.record({ type: 'decision.opened', decision: budgetQuestion(task, key, problem) });
}

function budgetQuestion(
  { state, now }: RunningTask,
  key: BudgetKey,
  problem: string,
  { hasRun } = { hasRun: state.control.phase !== 'planning' },
): BudgetQuestion {
  return {
    id: freeDecisionId(state, `budget-${key}`),
    kind: 'budget',
    subtask: null,
    signature: null,
    budget: key,
    used: usedNow(state, now)[key] ?? 0,
    limit: state.budget.limits[key] ?? 0,
    problem: `${problem} Nothing new starts until you decide.`,
    tried: [],
    recommendation: 'raise',
    options: buildOptions('budget', {
      key,
      name: formatBudget(key),
      ...(hasRun ? {} : { plans: true }),
      open: rowsOf(state).flatMap(({ id }) => (isIdle(state, id) ? [id] : [])),
    }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
  };
}
