import type { PlanInput } from '../../../domain/schema/plan-schema.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import { sayList } from '../../../domain/text/text.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import { planRetry, type RetryPlan } from '../../plan-retry.ts';
import type { TaskHandle } from '../../task-handle.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { withTask } from './find-task.ts';
import { followToEnd } from '../follow/follow-to-end.ts';
import type { Endpoint, Ports } from '../ports.ts';
import { TaskConfig } from './task-config.ts';

export interface RetryCommandOptions {
  dryRun?: boolean;
  from?: string;
  plan?: string;
  exitOnDecision?: boolean;
  config?: string[];
}

/** `heddle retry TASK`: says what is reused and what runs, then starts a new task and follows it as `run` does. */
export async function retryCommand(context: Context, task: string, options: RetryCommandOptions): Promise<number> {
  const { ports } = context;
  const given = options.plan === undefined ? undefined : await loadPlan(ports, options.plan, options.config);
  return withTask(context, task, async (handle, endpoint) => {
    const retry = await planRetry(endpoint.client, handle, {
      ...(given === undefined ? {} : { plan: given }),
      async config(input, workspace) {
        const flags = input.config?.flags;
        const config = new TaskConfig(ports, options.config, flags);
        const host = input.host === undefined ? {} : { host: input.host };
        const resolved = await config.at({ workspace, ...host });
        // What the environment said then is past; the flags were part of what was asked for.
        const asked = { ...input, config: flags === undefined ? {} : { flags } };
        return { resolved, input: config.inputOf(asked, endpoint) };
      },
      ...(options.from === undefined ? {} : { from: options.from }),
      stamp: (workspace, paths) => ports.stampFiles(workspace, paths),
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

async function loadPlan(ports: Ports, file: string, flags?: string[]): Promise<PlanInput> {
  const config = new TaskConfig(ports, flags);
  const { cwd, stdin } = ports;
  const { raw } = await loadPlanFile(file, { cwd, stdin, config: (place) => config.at(place) });
  return raw as PlanInput;
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
