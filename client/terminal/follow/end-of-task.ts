import type { EventOfTask } from '../../../workflows/task/messages.ts';
import { loadReport } from '../../report/load-report.ts';
import { findUncovered, formatUncovered } from '../../workspace/uncovered.ts';
import type { Endpoint } from '../../ports/service.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { explainTaskEnd, readTaskEnd, type TaskEnd } from '../../watch/read-end.ts';
import { plainLine } from '../text/terminal-text.ts';
import type { Context } from '../../cli/shared/context.ts';
import { exits } from '../../cli/shared/exit-codes.ts';
import { capital, renderSummary } from '../render/render-summary.ts';
import { taskLooks } from '../render/subtask-row.ts';
import { taskLink } from '../../links/web-links.ts';

export interface EndedTask {
  endpoint: Endpoint;
  handle: TaskHandle;
}

/**
 * Says what a task came to and returns the exit code for it, which the server's word about its end alone decides; undefined where the server
 * says that it is open. A task that never could run is an error with its own code.
 */
export async function endOfTask(
  context: Context,
  task: EndedTask,
  event: EventOfTask | undefined,
): Promise<number | undefined> {
  const end = await readTaskEnd(task.handle, event);
  if (end === undefined) return undefined;
  if (!context.output.json) await printSummary(context, task, end);
  if (end.state === 'completed') return exits.done;
  if (context.output.json) throw await explainTaskEnd(task.handle, end);
  return exits.failed;
}

/** An extra: that it cannot be had changes nothing about how the task ended. */
async function printSummary({ output, ports }: Context, { endpoint, handle }: EndedTask, end: TaskEnd): Promise<void> {
  const link = taskLink(endpoint, handle.id);
  try {
    const { report, status } = await loadReport(handle);
    const uncovered = formatUncovered(await findUncovered(ports, status));
    output.print(...renderSummary(report, { status, link, paint: output.paint, ...(uncovered && { uncovered }) }));
  } catch (error) {
    const [symbol, style] = taskLooks[end.state];
    output.print(
      '',
      `${output.paint(style, symbol)} ${output.paint('bold', `${capital(end.state)}: ${plainLine(end.reason)}`)}`,
    );
    output.note(`The summary is not available: ${error instanceof Error ? plainLine(error.message) : String(error)}`);
  }
}
