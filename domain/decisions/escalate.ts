import { buildOptions } from './options/decision-kinds.ts';
import { formatCause, plainSummary, formatFailureType } from './options/problem-text.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Escalation, OptionCost, OptionId } from '../types/decision.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { RewordingResult } from '../types/planner.ts';
import { attemptsAfterAnswer } from '../recovery/ladder.ts';
import { signatureInSubtask } from '../failure/signature.ts';
import { leftFiles } from './left-files.ts';
import { nextRewording } from './next-rewording.ts';
import { mayReplan } from '../schedule/budget-limits.ts';
import { listLeftBehind } from '../schedule/schedule.ts';
import { freeDecisionId, limitsOf, rowOf, subtaskOf } from '../task/read-state.ts';
import type { Rewording } from '../task/state.ts';
import type { FailedAttempt, SubtaskState } from '../task/subtask-state.ts';
import { resolveLadder } from '../task/read-state.ts';
import { formatDuration } from '../text/duration.ts';
import { clip, formatCount } from '../text/text.ts';
import { roundUsd } from '../util/usd.ts';
import type { RunningTask } from '../task/running-task.ts';
import { watchBudget } from './watch-budget.ts';

export function escalation(task: RunningTask, subtask: string, failure: Failure, because: string): Escalation {
  const { state, now } = task;
  const { climb, failures, spentOnFailures: spent } = subtaskOf(state, subtask);
  return {
    id: freeDecisionId(state, subtask),
    kind: 'escalation',
    subtask,
    problem: formatProblem(subtask, failure, spent.attempts, because),
    tried: failures.map(formatTried),
    recommendation: recommend(failure),
    options: buildOptions('escalation', {
      subtask,
      ...listLeftBehind(state, subtask),
      attempts: attemptsAfterAnswer(resolveLadder(state, subtask), climb, limitsOf(state)),
      costOfOne: costOfOne(spent),
      needsCredentials: needsCredentials(failure),
      // A new plan could only leave it out, and without it the task is not done.
      ...(mayReplan(state) && rowOf(state, subtask).critical !== true ? { mayReplan: true } : {}),
    }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
    // An answer about what nobody put into words must not hold for other subtasks.
    signature: failure.unspecific === true ? signatureInSubtask(failure.signature, subtask) : failure.signature,
    files: leftFiles(failures),
  };
}

const needsCredentials = ({ type }: Failure): boolean =>
  type === 'auth' || type === 'permission' || type === 'subscription';

/** The mean of what was spent. Nothing is not known to be free: a program need not say what it cost. */
function costOfOne({ attempts, costUsd, ms }: SubtaskState['spentOnFailures']): Omit<OptionCost, 'attempts'> {
  const mean = (sum: number): number | null => (sum > 0 && attempts > 0 ? sum / attempts : null);
  const [usd, time] = [mean(costUsd), mean(ms)];
  return { usd: usd === null ? null : roundUsd(usd), ms: time === null ? null : Math.round(time) };
}

/** In words of ours: what the program printed is in its attempts. Only a program that reports itself as blocked speaks to a person. */
function formatProblem(subtask: string, failure: Failure, failed: number, because: string): string {
  const what = formatFailureType(failure);
  const times = failed > 1 ? ` after ${formatCount(failed, 'attempt')}` : '';
  const used = because === 'max-attempts' ? ' All its attempts are used.' : '';
  return clip(`${subtask} ${what}${times}.${used}${formatCause(failure)}`, limits.problem);
}

function formatTried({ attempt, startedAt, endedAt, tier, thinking, failure }: FailedAttempt): string {
  const how = `tier ${tier}${thinking ? ' with thinking' : ''}`;
  const took = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
  return clip(`Attempt ${attempt}, ${how}, failed in ${took}: ${plainSummary(failure)}`, 240);
}

function recommend({ type, category }: Failure): OptionId {
  if (type === 'auth') return 'provide-credentials';
  return category === 'environment' || category === 'transient' || category === 'never-retry' ? 'retry' : 'fix';
}

/** Questions for which a model is asked for better words from now on. */
export function beginRewordings(task: RunningTask): Rewording[] {
  const begun: Rewording[] = [];
  for (let next = nextRewording(task.state); next !== undefined; next = nextRewording(task.state)) {
    const { decision: decisionId, subtask, attempt, grant } = next;
    task.record({ type: 'decision.phrasing', decisionId, subtask, attempt, grant });
    begun.push(next);
  }
  return begun;
}

/** Takes the model's words. A question that was answered meanwhile keeps the words that it was answered in. */
export function applyRewording(task: RunningTask, { decision, subtask }: Rewording, result: RewordingResult): void {
  const isOpen = task.state.decisions.open.some(({ id }) => id === decision);
  const problem = isOpen ? result.problem : null;
  task.record({ type: 'decision.phrased', decisionId: decision, subtask, ...result, problem });
  watchBudget(task);
}
