import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planOnlyOfGoals } from '../../domain/planner/planner-input.ts';
import { planError } from '../../domain/input/problem.ts';
import type { PlannedView } from '../../workflows/task/messages.ts';
import type { LoadedPlan } from '../plan-file/load-plan-text.ts';
import type { Endpoint } from '../ports/service.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { checkWorker } from './check-worker.ts';
import type { TaskConfig } from './task-config.ts';

/** Refuses a plan that has subtasks already; `name` is where it came from. */
export function checkIsGoal({ plan }: LoadedPlan, name: string): void {
  if (plan.subtasks.length > 0) throw planError([planOnlyOfGoals], name);
}

/**
 * Has a model plan a goal and waits for the plan, telling its waits for the provider; nothing of it runs. Nobody else waits for it, so aborting the signal ends the
 * planning, also when that was only just being started.
 *
 * @throws HeddleError `NO_WORKER`, `INTERRUPTED`, or the reason why the task failed.
 */
export async function planGoal(
  endpoint: Endpoint,
  config: TaskConfig,
  { raw, signal, onWait }: { raw: LoadedPlan['raw']; signal: AbortSignal; onWait: (text: string) => void },
): Promise<PlannedView> {
  await checkWorker(endpoint);
  const ended = new AbortController();
  try {
    const handle = await config.startWithVariables(endpoint, { ...config.buildInput(raw, endpoint), planOnly: true });
    const cancel = (): void => void handle.cancel().catch(() => undefined);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    void reportWaits(handle, AbortSignal.any([signal, ended.signal]), onWait);
    const { plan } = await handle.result();
    if (plan === undefined) throw new HeddleError({ code: 'INTERNAL', message: 'The worker returned no plan' });
    return plan;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new HeddleError({ code: 'INTERRUPTED', message: 'Stopped: there is no plan, and nothing has run' });
  } finally {
    ended.abort();
  }
}

/** An extra: the plan comes, or does not, whether its waits were told or not. */
async function reportWaits(handle: TaskHandle, signal: AbortSignal, onWait: (text: string) => void): Promise<void> {
  try {
    for await (const { type, text } of handle.follow({ signal })) if (type === 'plan.suspended') onWait(text);
  } catch {
    // The result of the task says what happened to it.
  }
}
