import type { Problem } from '../../../domain/errors/heddle-error.ts';
import type { TaskListing } from '../../sdk/task-listing.ts';
import type { InboxItem } from '../../sdk/inbox.ts';
import { taskLink, waitingLink } from '../../links/web-links.ts';
import type { Endpoint } from '../../ports/service.ts';
import { listTasks } from '../../tasks/list-tasks.ts';
import { readInbox } from '../../tasks/read-inbox.ts';
import { readStatus } from '../../tasks/read-status.ts';
import { renderDecision } from '../../terminal/render/render-decision.ts';
import { renderStatus } from '../../terminal/render/render-status.ts';
import { renderTable, type Row } from '../../terminal/render/table.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import { jsonText } from '../shared/output.ts';
import { withTask } from './find-task.ts';

export function statusCommand(context: Context, task: string): Promise<number> {
  const { output } = context;
  return withTask(context, task, async (handle, endpoint) => {
    const answer = await readStatus(endpoint.client, handle);
    if ('problem' in answer) {
      const { listing, problem } = answer;
      if (!output.json && listing !== undefined) printListing(context, [listing]);
      throw problem;
    }
    const { status } = answer;
    const link = taskLink(endpoint, handle.id);
    if (output.json) output.data(status);
    else output.print(...renderStatus(status, { link, now: Date.now(), width: output.width, paint: output.paint }));
    return exits.done;
  });
}

export function listCommand(context: Context): Promise<number> {
  const { output } = context;
  return withEndpoint(context, async (endpoint) => {
    const { tasks, problem } = await listTasks(endpoint);
    if (output.json) output.data(tasks);
    else if (tasks.length === 0) output.print('There is no task yet. Start one with `heddle run PLAN`.');
    else printListing(context, tasks);
    if (problem !== undefined) throw problem;
    return exits.done;
  });
}

function printListing({ output }: Context, tasks: readonly TaskListing[]): void {
  const rows: Row[] = [
    { cells: ['TASK', 'STATE', 'WAITS FOR', 'STARTED', 'PROJECT', 'GOAL'], style: 'dim' },
    ...tasks.map(({ id, state, waitingOn, startedAt, project, goal }) => ({
      cells: [id, state, waitingOn.join(', ') || '-', startedAt.slice(0, 19) + 'Z', project ?? '-', plainLine(goal)],
    })),
  ];
  output.print(...renderTable(rows, output.width, output.paint));
}

/** A task that does not answer is named beside the questions and changes no exit code. */
export function inboxCommand(context: Context): Promise<number> {
  const { output } = context;
  return withEndpoint(context, async (endpoint) => {
    const { items, silent } = await readInbox(endpoint);
    if (output.json) output.data(items);
    else printItems(context, endpoint, items, silent.length);
    for (const { taskId, problem } of silent) warnSilent(context, taskId, problem);
    return exits.done;
  });
}

function printItems({ output }: Context, endpoint: Endpoint, items: readonly InboxItem[], silent: number): void {
  if (items.length === 0)
    output.print(silent === 0 ? 'Nothing is waiting for an answer.' : 'No other task is known to be waiting.');
  for (const { taskId, goal, ...decision } of items) {
    const link = taskLink(endpoint, taskId);
    output.print(output.paint('bold', plainLine(goal)), ...renderDecision(taskId, decision, output.paint));
    output.print(...(link === null ? [] : [`  Or in the Web UI: ${link}`]), '');
  }
  const all = waitingLink(endpoint);
  if (items.length > 0 && all !== null) output.print(output.paint('dim', `All open questions: ${all}`));
}

/** The warning goes to stderr, so that the list of questions stays one. */
function warnSilent({ output }: Context, taskId: string, { code, message }: Problem): void {
  const warning = {
    code,
    message: `The task ${taskId} is not responding, so its questions are not shown: ${message}`,
  };
  output.error(output.json ? jsonText({ warning }) : `warning: ${plainLine(warning.message)} (${code})`);
}
