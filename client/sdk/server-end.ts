import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { EndState } from '../../domain/types/events.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { fromFailure } from '../temporal/explain-error.ts';
import { parseTaskId } from '../../domain/names/names.ts';

/**
 * How the server says a task ended. It holds, whatever the task's last own status was.
 *
 * @example
 * ```ts
 * const end = await task.end();
 * if (end !== undefined) console.log(end.state, end.reason);
 * ```
 */
export interface ServerEnd {
  state: EndState;
  at: string;
  /** One plain sentence; empty where the server knows none. */
  reason: string;
  /** True where the task ended by itself; false where the server, or a person through it, ended it. */
  own: boolean;
  /** Why it failed, with its code. */
  error?: HeddleError;
}

/** Temporal's words for closed, and ours. All others are open. */
const ends: Partial<Record<string, EndState>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'failed',
  TIMED_OUT: 'failed',
};

/** The state that a closed task has; undefined: it is open. */
export const endStateOf = (status: string): EndState | undefined =>
  Object.hasOwn(ends, status) ? ends[status] : undefined;

/** Ended by the server, or by somebody through it: the task had no say. */
export const isForced = (status: string): boolean => status === 'TERMINATED' || status === 'TIMED_OUT';

/** Undefined while the task is open. */
export async function readServerEnd(
  client: Client,
  handle: WorkflowHandle,
  { status: { name }, closeTime, workflowId, runId }: WorkflowExecutionDescription,
): Promise<ServerEnd | undefined> {
  const state = endStateOf(name);
  if (state === undefined) return undefined;
  const end = { state, at: (closeTime ?? new Date(0)).toISOString(), own: !isForced(name) };
  switch (name) {
    case 'FAILED':
      return { ...end, ...(await readFailure(handle, parseTaskId(workflowId))) };
    case 'TERMINATED':
      return { ...end, reason: await readTermination(client, { workflowId, runId }) };
    case 'TIMED_OUT':
      return { ...end, reason: 'Timed out: it was open for longer than the limit it was started with' };
    default:
      return { ...end, reason: '' };
  }
}

async function readFailure(handle: WorkflowHandle, id: string): Promise<{ reason: string; error?: HeddleError }> {
  try {
    await handle.result();
    return { reason: '' };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    if (!(cause instanceof ApplicationFailure)) return { reason: sentence(cause?.message ?? error.message) };
    const failure = fromFailure(cause, { task: id, unknown: 'TASK_FAILED' });
    return { reason: sentence(failure.message), error: failure };
  }
}

/** By whom and why. A limit of the server is told as its own identity. */
async function readTermination(client: Client, execution: { workflowId: string; runId: string }): Promise<string> {
  const { history } = await client.connection.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    historyEventFilterType: proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
  });
  const attributes = history?.events?.at(-1)?.workflowExecutionTerminatedEventAttributes;
  const who = attributes?.identity ? ` by ${attributes.identity}` : '';
  return sentence(`Terminated${who}${attributes?.reason ? `: ${attributes.reason}` : ', no reason was given'}`);
}

const sentence = (text: string): string => clip(oneLine(text), 300);

/** The status of a closed task: what it said itself, unless it had no chance to say its end. */
export function withServerEnd(status: StatusView, end: ServerEnd): StatusView {
  if (end.own && status.endedAt !== null) return status;
  const summary = end.reason === '' ? `The server reports that it ended as ${end.state}` : end.reason;
  return { ...status, state: end.state, summary, endedAt: end.at, code: end.error?.code ?? null, decisions: [] };
}

/** The status of a task that the server ended, when no worker can tell the rest. */
export function statusOfServer(
  id: string,
  { memo, startTime }: Pick<WorkflowExecutionDescription, 'memo' | 'startTime'>,
  end: ServerEnd,
): StatusView {
  const goal = memo?.['goal'];
  const bare: StatusView = {
    id,
    state: end.state,
    goal: typeof goal === 'string' ? goal : '',
    summary: '',
    project: null,
    host: null,
    workspace: null,
    planVersion: 0,
    startedAt: startTime.toISOString(),
    endedAt: null,
    code: null,
    subtasks: [],
    decisions: [],
    budget: {},
    remediations: [],
    lastEventId: 0,
  };
  const reason = `${end.reason}; no worker is responding, so its subtasks are not known`;
  return withServerEnd(bare, { ...end, reason: sentence(reason) });
}
