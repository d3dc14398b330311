import { plannerEscalation, type PlannerTrouble } from '../decisions/ask-planner-help.ts';
import { withoutEnd } from '../events/sentence.ts';
import { limits } from '../limits/domain-limits.ts';
import { limitsOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { TaskState } from '../task/state.ts';
import { clip } from '../text/text.ts';
import type { PlannerOutage } from '../types/planner.ts';

/*
 * The model that plans gives no answer. That is no reason for a worse plan: it is asked again after a wait, and a person is asked once the
 * waits are used up, or at once where no wait helps.
 */

/** Waits for what passes by itself. Returns false when the waits are used up and nobody may be asked. */
export function meetOutage(task: RunningTask, outage: PlannerOutage, { mayAsk }: { mayAsk: boolean }): boolean {
  const { nth: before = 0 } = task.state.planner.wait ?? {};
  const most = countWaits(task.state, outage);
  if (before < most) {
    const waitMs = outage.retryAfter ?? computeWait(task.state, outage, before);
    const reason = clip(withoutEnd(outage.why), limits.summary);
    task.record({ type: 'plan.suspended', reason, waitMs, nth: before + 1, most });
    return true;
  }
  if (mayAsk) askForHelp(task, { kind: 'outage', outage, waits: before });
  return mayAsk;
}

export function askForHelp(task: RunningTask, trouble: PlannerTrouble): void {
  task.record({ type: 'decision.opened', decision: plannerEscalation(task.state, task.now, trouble) });
}

/** Waits before a person is asked: as many as for an attempt with the same trouble. */
const countWaits = (state: TaskState, { category }: PlannerOutage): number =>
  category === 'environment' ? limitsOf(state).environmentWait.times : limits.transientRetry.maximumAttempts - 1;

function computeWait(state: TaskState, { category }: PlannerOutage, before: number): number {
  const { first, factor, most } = limitsOf(state).environmentWait;
  if (category === 'environment') return Math.min(first * factor ** before, most);
  const { initialInterval, backoff, maximumInterval } = limits.transientRetry;
  return Math.min(initialInterval * backoff ** before, maximumInterval);
}

/** True while a wait for the model that plans is not over. */
export const waitsForPlanner = ({ planner: { wait } }: TaskState, now: number): boolean =>
  wait !== undefined && wait.notBefore !== null && wait.notBefore > now;
