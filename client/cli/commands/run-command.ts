import { loadWithProcess } from '../../plan-file/load-with-process.ts';
import { checkTaskId } from '../../sdk/task-id.ts';
import { startTask, type StartedTask } from '../../start/start-task.ts';
import { TaskConfig } from '../../start/task-config.ts';
import { userName } from '../shared/user-name.ts';
import { noteModels } from '../shared/note-models.ts';
import { followToEnd } from '../../terminal/follow/follow-to-end.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';

export interface RunOptions {
  process?: string;
  set?: string[];
  id?: string;
  detach?: boolean;
  exitOnDecision?: boolean;
  shareWorkspace?: boolean;
  verify?: string[];
  allowUnchecked?: boolean;
  config?: string[];
}

/** `heddle run PLAN`, where PLAN may be a goal in words: everything that can be refused is refused before anything is started. */
export async function runCommand(context: Context, given: string | undefined, options: RunOptions): Promise<number> {
  const { exitOnDecision = false, config: flags, process, set, ...request } = options;
  if (request.id !== undefined) checkTaskId(request.id);
  const config = new TaskConfig(context.ports, flags);
  const { cwd, stdin, readProcessFile } = context.ports;
  const reading = { cwd, stdin, readProcessFile, process, set };
  const sent = await loadWithProcess(given, { ...reading, config: (place) => config.at(place) });
  const loaded = await config.followProcess(sent);
  noteModels(context, await config.findModels(loaded));
  const { raw } = loaded;
  return withEndpoint(context, async (endpoint) => {
    const started = await startTask(endpoint, config, {
      plan: raw,
      by: userName(context.ports.env),
      ...request,
    });
    const { handle } = started;
    if (request.detach === true) return printStarted(context, started);
    if (!context.output.json && !context.output.live) printFollowing(context, started);
    return followToEnd(context, { endpoint, handle, since: 0, exitOnDecision });
  });
}

function printStarted({ output }: Context, { handle: { id, workflowId }, webUi }: StartedTask): number {
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

function printFollowing({ output }: Context, { handle: { id }, webUi }: StartedTask): void {
  output.print(`Task ${id}${webUi === null ? '' : `  ${webUi}`}`);
}
