import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planOnlyOfGoals } from '../../domain/planner/planner-input.ts';
import { planError } from '../../domain/input/problem.ts';
import type { PlannedView } from '../../workflows/task/messages.ts';
import type { LoadedPlan } from '../plan-file/load-plan-text.ts';
import type { Endpoint } from '../ports/service.ts';
import { checkWorker } from './check-worker.ts';
import type { TaskConfig } from './task-config.ts';

/** Refuses a plan that has subtasks already; `name` is where it came from. */
export function checkIsGoal({ plan }: LoadedPlan, name: string): void {
  if (plan.subtasks.length > 0) throw planError([planOnlyOfGoals], name);
}

/**
 * Has a model plan a goal and waits for the plan; nothing of it runs. Nobody else waits for it, so aborting the signal ends the
 * planning, also when that was only just being started.
 *
 * @throws HeddleError `NO_WORKER`, `INTERRUPTED`, or the reason why the task failed.
 */
export async function planGoal(
  endpoint: Endpoint,
  config: TaskConfig,
  { raw, signal }: { raw: LoadedPlan['raw']; signal: AbortSignal },
): Promise<PlannedView> {
  await checkWorker(endpoint);
  try {
    const handle = await config.startWithVariables(endpoint, { ...config.buildInput(raw, endpoint), planOnly: true });
    const cancel = (): void => void handle.cancel().catch(() => undefined);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    const { plan } = await handle.result();
    if (plan === undefined) throw new HeddleError({ code: 'INTERNAL', message: 'The worker returned no plan' });
    return plan;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new HeddleError({ code: 'INTERRUPTED', message: 'Stopped: there is no plan, and nothing has run' });
  }
}
