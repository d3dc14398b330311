import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import type { TaskListing } from '../../sdk/heddle-client.ts';
import type { InboxItem } from '../../sdk/inbox.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { jsonText } from '../shared/output.ts';
import { looking, withTask } from './find-task.ts';
import type { Endpoint } from '../../ports/service.ts';
import { renderDecision } from '../../terminal/render/render-decision.ts';
import { renderStatus } from '../../terminal/render/render-status.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { taskLink, waitingLink } from '../shared/web-links.ts';

export function statusCommand(context: Context, task: string): Promise<number> {
  const { output } = context;
  return withTask(context, task, async (handle, endpoint) => {
    const status = await looking(() => handle.status()).catch(async (error: unknown) => {
      if (!output.json && isNoWorker(error)) await printListing(context, endpoint, handle);
      throw error;
    });
    const link = taskLink(endpoint, handle.id);
    if (output.json) output.data(status);
    else output.print(...renderStatus(status, { link, now: Date.now(), width: output.width, paint: output.paint }));
    return exits.done;
  });
}

const isNoWorker = (error: unknown): boolean => error instanceof HeddleError && error.code === 'NO_WORKER';

/** Without a worker the server still knows how the task stood. */
async function printListing({ output }: Context, { client }: Endpoint, { workflowId }: TaskHandle): Promise<void> {
  const listed = await client.list(`WorkflowId = '${workflowId}'`);
  if (listed.length > 0) output.print(...renderTable(listRows(listed), output.width, output.paint));
}

export function listCommand(context: Context): Promise<number> {
  const { output } = context;
  return withEndpoint(context, async (endpoint) => {
    const tasks = (await endpoint.client.list()).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    if (output.json) output.data(tasks);
    else if (tasks.length === 0) output.print('There is no task yet. Start one with `heddle run PLAN`.');
    else output.print(...renderTable(listRows(tasks), output.width, output.paint));
    await checkWorker(endpoint, tasks);
    return exits.done;
  });
}

function listRows(tasks: readonly TaskListing[]): Row[] {
  return [
    { cells: ['TASK', 'STATE', 'WAITS FOR', 'STARTED', 'PROJECT', 'GOAL'], style: 'dim' },
    ...tasks.map(({ id, state, waitingOn, startedAt, project, goal }) => ({
      cells: [id, state, waitingOn.join(', ') || '-', startedAt.slice(0, 19) + 'Z', project ?? '-', plainLine(goal)],
    })),
  ];
}

/** The server remembers how open tasks stood; without a worker they stand still, and that has to be said. */
async function checkWorker(endpoint: Endpoint, tasks: readonly TaskListing[]): Promise<void> {
  const ends: readonly string[] = ['completed', 'failed', 'cancelled'];
  if (tasks.every(({ state }) => ends.includes(state)) || (await endpoint.client.hasWorker())) return;
  throw nobodyAnswers(endpoint);
}

const nobodyAnswers = ({ client, address }: Endpoint): HeddleError =>
  new HeddleError({
    code: 'NO_WORKER',
    message: 'No worker is responding: the open tasks make no progress',
    where: `task queue ${client.taskQueue} at ${address}`,
    hint: 'Start one with `heddle worker`.',
  });

/** What can be shown is shown; a task that does not answer is named beside it and changes no exit code. */
export function inboxCommand(context: Context): Promise<number> {
  const { output } = context;
  return withEndpoint(context, async (endpoint) => {
    const { items, silent } = await looking(() => endpoint.client.inbox());
    if (silent.length > 0 && !(await endpoint.client.hasWorker())) throw nobodyAnswers(endpoint);
    if (output.json) output.data(items);
    else printItems(context, endpoint, items, silent.length);
    for (const { taskId, problem } of silent) warnSilent(context, taskId, problem);
    return exits.done;
  });
}

function printItems({ output }: Context, endpoint: Endpoint, items: readonly InboxItem[], silent: number): void {
  if (items.length === 0)
    output.print(silent === 0 ? 'Nothing is waiting for an answer.' : 'Nothing else is known to be waiting.');
  for (const { taskId, goal, ...decision } of items) {
    const link = taskLink(endpoint, taskId);
    output.print(output.paint('bold', plainLine(goal)), ...renderDecision(taskId, decision, output.paint));
    output.print(...(link === null ? [] : [`  Or in the Web UI: ${link}`]), '');
  }
  const all = waitingLink(endpoint);
  if (items.length > 0 && all !== null) output.print(output.paint('dim', `All open questions: ${all}`));
}

/** On stderr: the list of questions stays a list of questions. */
function warnSilent({ output }: Context, taskId: string, { code, message }: Problem): void {
  const warning = {
    code,
    message: `The task ${taskId} is not responding, so its questions are not shown: ${message}`,
  };
  output.error(output.json ? jsonText({ warning }) : `warning: ${plainLine(warning.message)} (${code})`);
}
