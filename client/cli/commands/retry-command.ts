import type { PlanInput } from '../../../domain/schema/plan-schema.ts';
import { formatList } from '../../../domain/text/text.ts';
import { loadPlanFile } from '../../plan-file/load-plan-file.ts';
import type { RetryPlan } from '../../start/plan-retry.ts';
import type { Ports } from '../../ports/ports.ts';
import { prepareRetry, startRetry } from '../../start/start-retry.ts';
import { TaskConfig } from '../../start/task-config.ts';
import { userName } from '../shared/user-name.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { noteModels } from '../shared/note-models.ts';
import { followToEnd } from '../../terminal/follow/follow-to-end.ts';
import { withTask } from './find-task.ts';

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
  const { dryRun = false, exitOnDecision = false } = options;
  const plan = options.plan === undefined ? undefined : await loadPlan(ports, options.plan, options.config);
  return withTask(context, task, async (handle, endpoint) => {
    const retry = await prepareRetry(
      ports,
      { endpoint, handle },
      {
        ...(plan === undefined ? {} : { plan }),
        ...(options.from === undefined ? {} : { from: options.from }),
        ...(options.config === undefined ? {} : { flags: options.config }),
        onModels: (settings) => noteModels(context, settings),
      },
    );
    printRetry(context, retry, handle.id, dryRun);
    if (dryRun) return exits.done;
    const started = await startRetry(endpoint, retry, userName(context.ports.env));
    return followToEnd(context, { endpoint, handle: started, since: 0, exitOnDecision });
  });
}

async function loadPlan(ports: Ports, file: string, flags?: string[]): Promise<PlanInput> {
  const config = new TaskConfig(ports, flags);
  const { cwd, stdin } = ports;
  return (await loadPlanFile(file, { cwd, stdin, config: (place) => config.at(place) })).raw;
}

function printRetry({ output }: Context, retry: RetryPlan, before: string, dryRun: boolean): void {
  const reused = retry.reused.map(({ id }) => id);
  const runs = retry.runs.map(({ id }) => id);
  if (output.json) {
    if (dryRun) output.data({ taskId: retry.taskId, reused, runs, rechecked: retry.rechecked });
    return;
  }
  output.print(
    `${dryRun ? 'Would start' : 'Starting'} ${retry.taskId} from ${before}.`,
    `  reused: ${formatList(reused, 20)}`,
    ...(retry.rechecked.length === 0
      ? []
      : [
          `  checks: ${formatList(retry.rechecked, 20)} (verify commands run again first; if one fails, the subtask runs)`,
        ]),
    ...retry.runs.map(({ id, why }) => `  runs:   ${id} (${why})`),
  );
}
