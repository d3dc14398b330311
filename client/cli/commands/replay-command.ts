import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { parseTaskId, workflowTypes } from '../../../domain/names/names.ts';
import { formatCount, formatList } from '../../../domain/text/text.ts';
import { listExecutions } from '../../sdk/task-page.ts';
import { explainError } from '../../temporal/explain-error.ts';
import type { HeddleClient } from '../../sdk/heddle-client.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import type { RecordedHistory, Replayed } from '../../ports/service.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { usageError } from '../shared/usage-error.ts';

export interface ReplayOptions {
  /** All open tasks and project memories of the queue. */
  open?: boolean;
  /** Workflow code of another build. */
  bundle?: string;
}

/** `heddle replay`: could tasks that are under way go on with this code? Asked before it is deployed. */
export async function replayCommand(context: Context, targets: string[], options: ReplayOptions): Promise<number> {
  const { output, ports } = context;
  if (targets.length === 0 && options.open !== true)
    throw usageError('replay needs history files, tasks, or --open', { hint: 'heddle replay --open' });
  const results: Replayed[] = [];
  const histories = collect(context, targets, options);
  for await (const result of ports.replay(histories, options.bundle === undefined ? {} : { bundle: options.bundle })) {
    results.push(result);
    if (!output.json) output.print(resultLine(result, output.paint));
  }
  const failed = results.filter(({ problem }) => problem !== null);
  if (output.json) output.data({ replayed: results.length, failed: failed.length, results });
  else if (results.length === 0) output.print('Nothing is open: there is nothing to replay.');
  if (failed.length === 0) return exits.done;
  throw new HeddleError({
    code: 'REPLAY_MISMATCH',
    message: `${failed.length} of ${formatCount(results.length, 'replayed workflow')} cannot continue with this code: ${formatList(failed.map(({ name }) => name))}`,
    hint: 'Keep the old order of steps behind `patched`, or deploy with --build-id, so that open tasks stay on the code they started with.',
  });
}

function resultLine({ name, problem }: Replayed, paint: Context['output']['paint']): string {
  if (problem === null) return `${paint('green', '✓')} ${plainLine(name)}`;
  return `${paint('red', '✗')} ${plainLine(name)}: ${plainLine(problem)}`;
}

/** Files first: they need no server. */
async function* collect(context: Context, targets: string[], options: ReplayOptions): AsyncGenerator<RecordedHistory> {
  const tasks: string[] = [];
  for (const target of targets) {
    const text = await readFile(resolve(context.ports.cwd, target), 'utf8').catch(() => undefined);
    if (text === undefined) tasks.push(target);
    else yield fromFile(target, text);
  }
  if (tasks.length === 0 && options.open !== true) return;
  const fetched = await withEndpoint(context, async ({ client }) => {
    const ids = await Promise.all(tasks.map(async (task) => (await client.find(task)).workflowId));
    const open = options.open === true ? await openWorkflows(client) : [];
    const all: RecordedHistory[] = [];
    for (const workflowId of new Set([...ids, ...open])) all.push(await fetchHistory(client, workflowId));
    return all;
  });
  yield* fetched;
}

/** A file that `temporal workflow show --output json` or the SDK wrote. The name of the file stands for the id, which it does not hold. */
function fromFile(path: string, text: string): RecordedHistory {
  const name = basename(path);
  const workflowId = name.replace(/(-\d+)?\.json$/, '');
  try {
    const history = JSON.parse(text) as { events?: unknown };
    if (Array.isArray(history.events) && history.events.length > 0) return { name, workflowId, history };
  } catch {
    // Said below.
  }
  throw new HeddleError({
    code: 'REPLAY_FILE_INVALID',
    message: `${path} contains no workflow history`,
    where: path,
    hint: 'Write one with `temporal workflow show --workflow-id task-ID --output json`.',
  });
}

async function openWorkflows({ temporal, taskQueue }: HeddleClient): Promise<string[]> {
  const types = Object.values(workflowTypes)
    .map((type) => `WorkflowType = '${type}'`)
    .join(' OR ');
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}' AND (${types})`;
  const ids: string[] = [];
  try {
    for await (const { execution } of listExecutions(temporal, { query })) ids.push(execution?.workflowId ?? '');
  } catch (error) {
    throw explainError(error);
  }
  return ids;
}

async function fetchHistory({ temporal }: HeddleClient, workflowId: string): Promise<RecordedHistory> {
  try {
    // A task that is not there is told only by this call.
    const { runId } = await temporal.workflow.getHandle(workflowId).describe();
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    return { name: workflowId, workflowId, history };
  } catch (error) {
    throw explainError(error, { taskId: parseTaskId(workflowId) });
  }
}
