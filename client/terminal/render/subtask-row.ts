import { formatRetry } from '../../../domain/events/sentence.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import type { StatusView, SubtaskView } from '../../../domain/views/task-status.ts';
import { formatCount, formatList } from '../../../domain/text/text.ts';
import type { StyleName } from '../text/paint.ts';
import { plainLine } from '../text/terminal-text.ts';

type StateLook = readonly [symbol: string, style: StyleName];

/** How a state looks at a glance. */
const looks: Readonly<Record<SubtaskView['state'], StateLook>> = {
  pending: ['◌', 'dim'],
  running: ['●', 'cyan'],
  remediating: ['●', 'cyan'],
  waiting: ['?', 'yellow'],
  completed: ['✓', 'green'],
  failed: ['✗', 'red'],
  blocked: ['✗', 'dim'],
  skipped: ['–', 'dim'],
};

export const taskLooks: Readonly<Record<StatusView['state'], StateLook>> = {
  planning: ['◌', 'cyan'],
  running: ['●', 'cyan'],
  paused: ['⏸', 'yellow'],
  waiting: ['?', 'yellow'],
  completed: ['✓', 'green'],
  failed: ['✗', 'red'],
  cancelled: ['✗', 'yellow'],
};

/** The sentence about a task now; a wait for the model that plans counts down. */
export function describeNow({ state, summary, plannerRetry }: StatusView, now: number): string {
  if (plannerRetry === undefined || state !== 'planning') return plainLine(summary);
  return plainLine(formatRetry(Date.parse(plannerRetry.at) - now, plannerRetry.reason, plannerRetry));
}

/** Done, and nothing says that it is right. */
const unchecked: StateLook = ['○', 'yellow'];

export const isUnchecked = ({ state, verdict }: Pick<SubtaskView, 'state' | 'verdict'>): boolean =>
  state === 'completed' && verdict === 'unchecked';

export const lookOfSubtask = (subtask: Pick<SubtaskView, 'state' | 'verdict'>): StateLook =>
  isUnchecked(subtask) ? unchecked : looks[subtask.state];

/** A task with a result that nothing checked is not shown as one that passed. */
export const lookOfTask = ({ state, subtasks }: Pick<StatusView, 'state' | 'subtasks'>): StateLook =>
  state === 'completed' && subtasks.some(isUnchecked) ? unchecked : taskLooks[state];

/** The rest of the plan, as far as a row needs it. */
export interface RowContext {
  status: StatusView;
  /** Tiers that the plan gave, to tell which were raised. */
  tiers: ReadonlyMap<string, number>;
  now: number;
}

/** The facts of a subtask's row besides its name: how often, how strong, how long, why not yet. */
export function describeSubtask(subtask: SubtaskView, context: RowContext): string {
  const parts = [why(subtask, context), effort(subtask, context), elapsed(subtask, context.now), formatUse(subtask)];
  return parts.filter((part) => part !== '').join(' · ');
}

/** The cost where it is known, and the tokens. */
function formatUse({ costUsd, tokens }: SubtaskView): string {
  if (tokens === undefined) return '';
  return `${costUsd === undefined ? '' : `$${costUsd.toFixed(costUsd < 0.1 ? 3 : 2)}, `}${formatTokens(tokens)} tokens`;
}

const formatTokens = (tokens: number): string =>
  tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

function effort({ id, state, attempts, maxAttempts, tier }: SubtaskView, { tiers }: RowContext): string {
  if (attempts === 0) return '';
  const tries =
    state === 'running'
      ? `attempt ${attempts}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`}`
      : formatCount(attempts, 'attempt');
  const raised = tier > (tiers.get(id) ?? tier) ? `tier ${tier}` : '';
  return [attempts > 1 ? tries : '', raised].filter((part) => part !== '').join(', ');
}

function why(subtask: SubtaskView, context: RowContext): string {
  switch (subtask.state) {
    case 'pending':
      return whyNotYet(subtask, context);
    case 'waiting':
      return `waits for your answer${subtask.waitingFor === null ? '' : ` (${subtask.waitingFor})`}`;
    case 'completed':
      return formatVerdict(subtask);
    case 'failed':
    case 'blocked':
    case 'skipped':
      return `${subtask.state}${subtask.reason === null ? '' : `: ${plainLine(subtask.reason)}`}`;
    case 'remediating':
      return 'being repaired';
    case 'running':
      return subtask.waitsForWorker === undefined ? '' : `waits for ${subtask.waitsForWorker}`;
  }
}

function formatVerdict({ verdict, partial }: SubtaskView): string {
  if (verdict === null || verdict === 'pass') return '';
  return verdict === 'unchecked' && partial === true ? 'unchecked, only in part' : verdict;
}

function whyNotYet({ dependsOn, notBefore, reason, synthesis }: SubtaskView, { status, now }: RowContext): string {
  const wait = notBefore === null ? 0 : Date.parse(notBefore) - now;
  if (wait > 0) return reason === null ? `again in ${formatDuration(wait)}` : plainLine(formatRetry(wait, reason));
  const others = synthesis === true ? status.subtasks.filter(isOpenOther).length : 0;
  if (others > 0) return `waits for all others (${others} to go)`;
  const open = dependsOn.filter((id) => {
    const state = status.subtasks.find((subtask) => subtask.id === id)?.state;
    return state !== 'completed' && state !== 'skipped';
  });
  if (open.length > 0) return `after ${formatList(open, 3)}`;
  return status.state === 'paused' ? 'paused' : 'ready';
}

const isOpenOther = ({ synthesis, state, endedAt }: SubtaskView): boolean =>
  synthesis !== true && (state === 'blocked' ? endedAt === null : !over.includes(state));

const over: readonly SubtaskView['state'][] = ['completed', 'skipped', 'failed'];

function elapsed({ startedAt, endedAt, state }: SubtaskView, now: number): string {
  if (startedAt === null || state === 'pending') return '';
  return formatDuration(Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt)));
}
