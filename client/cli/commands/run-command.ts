import type { PlanInput } from '../../../domain/schema/plan-schema.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { checkTaskId } from '../../sdk/task-id.ts';
import { isGoal, loadGoal } from '../../plan-file/load-goal.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { followToEnd } from '../../terminal/follow/follow-to-end.ts';
import type { Endpoint } from '../../ports/service.ts';
import { TaskConfig } from '../../start/task-config.ts';
import { taskLink } from '../shared/web-links.ts';

export interface RunOptions {
  id?: string;
  detach?: boolean;
  exitOnDecision?: boolean;
  shareWorkspace?: boolean;
  verify?: string[];
  allowUnchecked?: boolean;
  config?: string[];
}

/** `heddle run PLAN`, where PLAN may be a goal in words: everything that can be refused is refused before anything is started. */
export async function runCommand(context: Context, given: string, options: RunOptions): Promise<number> {
  const id = options.id === undefined ? {} : { id: checkTaskId(options.id) };
  const config = new TaskConfig(context.ports, options.config);
  const { cwd, stdin } = context.ports;
  const load = isGoal(given, cwd) ? loadGoal : loadPlanFile;
  const { raw } = await load(given, { cwd, stdin, config: (place) => config.at(place) });
  return withEndpoint(context, async (endpoint) => {
    const detach = options.detach === true;
    if (!detach) await checkWorker(endpoint);
    const share = options.shareWorkspace === true ? { shareWorkspace: true } : {};
    const allow = options.allowUnchecked === true ? { allowUnchecked: true } : {};
    const input = { ...config.buildInput(withVerify(raw as PlanInput, options.verify), endpoint), ...share, ...allow };
    const handle = await endpoint.client.start(input, id);
    if (detach) return printStarted(context, endpoint, handle);
    if (!context.output.json && !context.output.live) printFollowing(context, endpoint, handle.id);
    const exitOnDecision = options.exitOnDecision === true;
    return followToEnd(context, { endpoint, handle, since: 0, exitOnDecision });
  });
}

/** What the command line says about the end of the task is added to what the plan says. */
function withVerify(plan: PlanInput, commands: readonly string[] = []): PlanInput {
  if (commands.length === 0) return plan;
  return { ...plan, verify: [...new Set([...(plan.verify ?? []), ...commands])] };
}

/** Somebody who waits for a task wants to know that nobody will run it. */
export async function checkWorker({ client, address, local }: Endpoint): Promise<void> {
  if (local || (await client.hasWorker())) return;
  throw new HeddleError({
    code: 'NO_WORKER',
    message: 'No worker is responding, so the task was not started',
    where: `task queue ${client.taskQueue} at ${address}`,
    hint: 'Start one with `heddle worker`, or use --detach to start the task anyway: it waits for a worker.',
  });
}

function printStarted({ output }: Context, endpoint: Endpoint, { id, workflowId }: TaskHandle): number {
  const webUi = taskLink(endpoint, id);
  if (output.json) output.data({ taskId: id, workflowId, webUi });
  else {
    output.print(
      `Started the task ${id}.`,
      `  follow:  heddle watch ${id}`,
      `  look:    heddle status ${id}`,
      ...(webUi === null ? [] : [`  Web UI:  ${webUi}`]),
    );
  }
  return exits.done;
}

function printFollowing({ output }: Context, endpoint: Endpoint, id: string): void {
  const webUi = taskLink(endpoint, id);
  output.print(`Task ${id}${webUi === null ? '' : `  ${webUi}`}`);
}
