import type { PlanInput } from '../../domain/schema/plan-schema.ts';
import { taskLink } from '../links/web-links.ts';
import type { Endpoint } from '../ports/service.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { checkWorker } from './check-worker.ts';
import type { TaskConfig } from './task-config.ts';
import { mergeChecks } from '../../domain/checks/named-checks.ts';

export interface StartRequest {
  /** The plan as it was written, with an absolute workspace. */
  plan: PlanInput;
  /** The id of the task; a new one by default. */
  id?: string | undefined;
  /** Commands that check the result of the whole task, beside those of the plan. */
  verify?: readonly string[] | undefined;
  shareWorkspace?: boolean | undefined;
  allowUnchecked?: boolean | undefined;
  /** Starts the task also while no worker is responding: then it waits for one. */
  detach?: boolean | undefined;
  /** The person who starts it. */
  by?: string | undefined;
  /** Kept with the task, for a caller who sends the same request twice. */
  key?: string | undefined;
}

export interface StartedTask {
  handle: TaskHandle;
  /** The task in the Temporal Web UI, where that is known. */
  webUi: string | null;
}

/**
 * Starts a task from a plan that was loaded, under the config of the caller.
 *
 * @throws HeddleError `NO_WORKER` unless `detach` is given, `TASK_EXISTS`, `TASK_ID_INVALID`.
 */
export async function startTask(endpoint: Endpoint, config: TaskConfig, request: StartRequest): Promise<StartedTask> {
  const { plan, id, verify, shareWorkspace, allowUnchecked, detach, by, key } = request;
  if (detach !== true) await checkWorker(endpoint);
  const input: PlanInput = {
    ...config.buildInput(addVerify(plan, verify), endpoint),
    ...(shareWorkspace === true ? { shareWorkspace } : {}),
    ...(allowUnchecked === true ? { allowUnchecked } : {}),
  };
  const handle = await config.startWithVariables(endpoint, input, { id, by, key });
  return { handle, webUi: taskLink(endpoint, handle.id) };
}

/** Commands of the request are added to those of the plan. */
function addVerify(plan: PlanInput, commands: readonly string[] = []): PlanInput {
  if (commands.length === 0) return plan;
  return { ...plan, verify: mergeChecks(plan.verify, commands) };
}
