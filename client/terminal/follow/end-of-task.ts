import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../../domain/errors/error-codes.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import { loadReport } from '../../report/load-report.ts';
import type { Endpoint } from '../../ports/service.ts';
import type { ServerEnd } from '../../sdk/server-end.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
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
  const end = await readEnd(task.handle, event);
  if (end === undefined) return undefined;
  if (end.error !== undefined && !haveRun.includes(end.error.code)) throw end.error;
  if (!context.output.json) await printSummary(context, task, end);
  if (end.state === 'completed') return exits.done;
  if (context.output.json) throw await notCompleted(task.handle, end);
  return exits.failed;
}

/** Codes of tasks that ran and did not come to a good end. */
const haveRun: readonly ErrorCode[] = ['TASK_FAILED', 'BUDGET_EXHAUSTED'];

type End = Pick<ServerEnd, 'state' | 'reason' | 'error'>;

/** Between a task's last event and its end on the server there is a moment. */
async function readEnd(handle: TaskHandle, event: EventOfTask | undefined): Promise<End | undefined> {
  const last = Date.now() + clientLimits.closing.most;
  for (;;) {
    const isLast = Date.now() > last;
    const end = await handle.end().catch((error: unknown) => {
      if (event === undefined || isLast) throw error;
      return undefined;
    });
    if (end !== undefined) return { ...end, reason: end.reason === '' ? (event?.text ?? '') : end.reason };
    if (isLast) return undefined;
    await sleep(clientLimits.closing.poll);
  }
}

/** An extra: that it cannot be had changes nothing about how the task ended. */
async function printSummary({ output }: Context, { endpoint, handle }: EndedTask, end: End): Promise<void> {
  const link = taskLink(endpoint, handle.id);
  try {
    const { report, status } = await loadReport(handle);
    output.print(...renderSummary(report, { status, link, paint: output.paint }));
  } catch (error) {
    const [symbol, style] = taskLooks[end.state];
    output.print(
      '',
      `${output.paint(style, symbol)} ${output.paint('bold', `${capital(end.state)}: ${plainLine(end.reason)}`)}`,
    );
    output.note(`The summary is not available: ${error instanceof Error ? plainLine(error.message) : String(error)}`);
  }
}

async function notCompleted(handle: TaskHandle, { state, reason, error }: End): Promise<HeddleError> {
  const summary = await handle.status().then(
    (status) => status.summary,
    () => reason,
  );
  return new HeddleError({
    code: state === 'cancelled' ? 'TASK_CANCELLED' : (error?.code ?? 'TASK_FAILED'),
    message: `The task ${handle.id} ${state === 'cancelled' ? 'was cancelled' : 'failed'}: ${summary}`,
    hint: `\`heddle report ${handle.id}\` shows what was tried.`,
  });
}
