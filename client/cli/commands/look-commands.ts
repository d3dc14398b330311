import { HeddleError, type Problem } from '../../../domain/heddle-error.ts';
import type { TaskListing } from '../../heddle-client.ts';
import type { InboxItem } from '../../inbox.ts';
import type { TaskHandle } from '../../task-handle.ts';
import { withEndpoint, type Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { looking, withTask } from './find-task.ts';
import { followToEnd } from '../follow/follow-to-end.ts';
import { loadReport } from '../../report/load-report.ts';
import type { Endpoint } from '../../ports/service.ts';
import { renderDecision } from '../render/render-decision.ts';
import { renderStatus } from '../render/render-status.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { writeReport } from '../../report/write.ts';
import { renderTable, type Row } from '../render/table.ts';
import { plainLine } from '../../text/terminal-text.ts';
import { taskLink, waitingLink } from '../web-links.ts';

export function watchCommand(
  context: Context,
  task: string,
  options: { since?: number; exitOnDecision?: boolean },
): Promise<number> {
  return withTask(context, task, async (handle, endpoint) => {
    // Says at once that there is no such task, or that nobody can answer.
    await looking(() => handle.status());
    const { since = 0, exitOnDecision = false } = options;
    return followToEnd(context, { endpoint, handle, since, exitOnDecision });
  });
}

export function statusCommand(context: Context, task: string): Promise<number> {
  const { output } = context;
  return withTask(context, task, async (handle, endpoint) => {
    const status = await looking(() => handle.status()).catch(async (error: unknown) => {
      if (!output.json && isNoWorker(error)) await sayListed(context, endpoint, handle);
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
async function sayListed({ output }: Context, { client }: Endpoint, { workflowId }: TaskHandle): Promise<void> {
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
    else sayItems(context, endpoint, items, silent.length);
    for (const { taskId, problem } of silent) saySilent(context, taskId, problem);
    return exits.done;
  });
}

function sayItems({ output }: Context, endpoint: Endpoint, items: readonly InboxItem[], silent: number): void {
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
function saySilent({ output }: Context, taskId: string, { code, message }: Problem): void {
  const warning = {
    code,
    message: `The task ${taskId} is not responding, so its questions are not shown: ${message}`,
  };
  output.error(output.json ? JSON.stringify({ warning }) : `warning: ${plainLine(warning.message)} (${code})`);
}

export interface ReportOptions {
  /** Files to write instead of printing. */
  page?: string;
  markdown?: string;
}

export function reportCommand(context: Context, task: string, options: ReportOptions): Promise<number> {
  const { output, ports } = context;
  return withTask(context, task, async (handle) => {
    const { report, status, missing } = await looking(() => loadReport(handle));
    for (const what of missing) output.note(`${what}; the report does not include them`);
    const written = await writeReport(report, status.subtasks, { ...options, cwd: ports.cwd, now: Date.now() });
    const paths = Object.values(written);
    if (output.json) output.data({ ...report, ...written });
    else output.print(...(paths.length > 0 ? paths : [reportMarkdown(report, status.subtasks)]));
    return exits.done;
  });
}
