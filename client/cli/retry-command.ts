import type { PlanInput } from '../../domain/plan-schema.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { sayList } from '../../domain/text.ts';
import { loadPlanFile } from '../plan-file/load-plan-file.ts';
import { planRetry, type RetryPlan } from '../plan-retry.ts';
import type { TaskHandle } from '../task-handle.ts';
import type { Context } from './context.ts';
import { exits } from './exit-codes.ts';
import { withTask } from './find-task.ts';
import { followToEnd } from './follow-to-end.ts';
import type { Endpoint } from './ports.ts';

export interface RetryCommandOptions {
  dryRun?: boolean;
  from?: string;
  plan?: string;
  exitOnDecision?: boolean;
}

/** `heddle retry TASK`: says what is reused and what runs, then starts a new task and follows it as `run` does. */
export async function retryCommand(context: Context, task: string, options: RetryCommandOptions): Promise<number> {
  const plan =
    options.plan === undefined ? {} : { plan: (await loadPlanFile(options.plan, context.ports)).raw as PlanInput };
  return withTask(context, task, async (handle, endpoint) => {
    const retry = await planRetry(endpoint.client, handle, {
      ...plan,
      ...(options.from === undefined ? {} : { from: options.from }),
      stamp: (workspace, paths) => context.ports.stampFiles(workspace, paths),
    });
    say(context, retry, handle.id, options.dryRun === true);
    if (options.dryRun === true) return exits.done;
    const started = await start(endpoint, retry);
    return followToEnd(context, {
      endpoint,
      handle: started,
      since: 0,
      exitOnDecision: options.exitOnDecision === true,
    });
  });
}

function say({ output }: Context, retry: RetryPlan, before: string, dryRun: boolean): void {
  const reused = retry.reused.map(({ id }) => id);
  const runs = retry.runs.map(({ id }) => id);
  if (output.json) {
    if (dryRun) output.data({ taskId: retry.taskId, reused, runs });
    return;
  }
  output.print(
    `${dryRun ? 'Would start' : 'Starting'} ${retry.taskId} from ${before}.`,
    `  reused: ${sayList(reused, 20)}`,
    ...retry.runs.map(({ id, why }) => `  runs:   ${id} (${why})`),
  );
}

/** A name that another retry took meanwhile makes way for the next one. */
async function start(endpoint: Endpoint, retry: RetryPlan): Promise<TaskHandle> {
  const match = /^(.*-r)(\d+)$/.exec(retry.taskId);
  const stem = match?.[1] ?? `${retry.taskId}-r`;
  for (let number = Number(match?.[2] ?? 2); number < 1_000; number += 1) {
    try {
      return await endpoint.client.start(retry.input, { id: `${stem}${number}` });
    } catch (error) {
      if (!(error instanceof HeddleError) || error.code !== 'TASK_EXISTS') throw error;
    }
  }
  throw new HeddleError({
    code: 'TASK_EXISTS',
    message: 'All names for a retry are taken',
    hint: 'Start it with `heddle run` and another --id.',
  });
}
