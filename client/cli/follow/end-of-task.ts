import { isErrorCode, type ErrorCode } from '../../../domain/error-codes.ts';
import { HeddleError } from '../../../domain/heddle-error.ts';
import type { StatusView } from '../../../domain/task/status.ts';
import type { EventOfTask } from '../../../workflows/messages.ts';
import type { TaskHandle } from '../../task-handle.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { loadReport } from '../../report/load-report.ts';
import type { Endpoint } from '../ports.ts';
import { renderSummary } from '../render/render-summary.ts';
import { taskLink } from '../web-links.ts';

export interface EndedTask {
  endpoint: Endpoint;
  handle: TaskHandle;
}

/** Says what a task came to and returns the exit code for it. A task that never could run is an error with its own code. */
export async function endOfTask(context: Context, task: EndedTask, event: EventOfTask | undefined): Promise<number> {
  const status = await task.handle.status();
  const { state, code } = endingOf(status, event);
  if (code !== undefined) throw await whyRefused(task.handle, code, status.summary);
  if (!context.output.json) await saySummary(context, task);
  if (state === 'completed') return exits.done;
  if (state === undefined) throw endedFromOutside(task.handle.id);
  if (context.output.json) throw notCompleted(status, state);
  return exits.failed;
}

function endingOf(status: StatusView, event: EventOfTask | undefined): { state: string | undefined; code?: ErrorCode } {
  const told = event?.['state'];
  const ended = status.endedAt === null ? undefined : status.state;
  const code = event?.['code'] ?? status.code;
  return {
    state: typeof told === 'string' ? told : ended,
    ...(typeof code === 'string' ? { code: isErrorCode(code) ? code : 'TASK_FAILED' } : {}),
  };
}

/** The failure of the workflow carries the whole problem; the event only its code. */
async function whyRefused(handle: TaskHandle, code: ErrorCode, message: string): Promise<unknown> {
  try {
    await handle.result();
  } catch (error) {
    return error;
  }
  return new HeddleError({ code, message });
}

async function saySummary({ output, ports }: Context, { endpoint, handle }: EndedTask): Promise<void> {
  const { report, status } = await loadReport(ports, handle);
  output.print(...renderSummary(report, { status, link: taskLink(endpoint, handle.id), paint: output.paint }));
}

function notCompleted(status: StatusView, state: string): HeddleError {
  return new HeddleError({
    code: state === 'cancelled' ? 'TASK_CANCELLED' : 'TASK_FAILED',
    message: `The task ${status.id} ${state === 'cancelled' ? 'was cancelled' : 'failed'}: ${status.summary}`,
    hint: `\`heddle report ${status.id}\` shows what was tried.`,
  });
}

/** Terminated, or timed out by a limit that somebody else's starter gave: it had no chance to say why. */
function endedFromOutside(taskId: string): HeddleError {
  return new HeddleError({
    code: 'TASK_FAILED',
    message: `The task ${taskId} was ended from outside`,
    hint: 'The Temporal Web UI shows by whom, in the last event of its history.',
  });
}
