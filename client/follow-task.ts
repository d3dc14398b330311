import type { Client } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcCancelledError } from '@temporalio/client';
import type { EventOfTask } from '../workflows/messages.ts';
import { grpcErrorOf } from './explain-error.ts';

/** A busy task wakes its followers at every step; reading its events more often than this helps nobody. */
const pause = 100;

export interface FollowOptions {
  /** Events after this number. */
  since?: number;
  signal?: AbortSignal;
  /** Told when the view stands still for a reason, and again (undefined) when it goes on. */
  onTrouble?: (what: string | undefined) => void;
}

/**
 * The events of a task as they happen, to its end. The history's long poll only says that there is something new; what it is
 * comes from the query `events`, so there is one log and no polling.
 */
export async function* followTask(
  client: Client,
  workflowId: string,
  readEvents: (since: number) => Promise<EventOfTask[]>,
  options: FollowOptions = {},
): AsyncGenerator<EventOfTask, void, undefined> {
  let last = options.since ?? 0;
  const news = new HistoryPoll(client, workflowId, options.signal);
  const stopped = (): boolean => options.signal?.aborted ?? false;
  while (!stopped()) {
    const events = await patiently(() => readEvents(last), options);
    for (const event of events ?? []) {
      last = event.id;
      yield event;
      if (event.type === 'task.ended') return;
    }
    if (stopped() || (news.over && events !== undefined)) return;
    await patiently(() => news.next(), options);
    if (!stopped()) await sleep(pause);
  }
}

/** Waits out a server that restarts or a worker that is away; undefined when the follower was stopped or has to try again. */
async function patiently<T>(action: () => Promise<T>, { signal, onTrouble }: FollowOptions): Promise<T | undefined> {
  try {
    const result = await action();
    onTrouble?.(undefined);
    return result;
  } catch (error) {
    if (isGrpcCancelledError(error) || signal?.aborted === true) return undefined;
    if (!passes(error)) throw error;
    onTrouble?.(grpcErrorOf(error)?.code === unavailable ? 'the Temporal server does not answer' : 'no worker answers');
    await sleep(1_000, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
    return undefined;
  }
}

const unavailable = 14;
/** Bad argument, not found, not permitted, not implemented, not authenticated: asking again does not help. */
const lasting: ReadonlySet<number> = new Set([3, 5, 7, 12, 16]);

function passes(error: unknown): boolean {
  const answer = grpcErrorOf(error);
  return answer === undefined ? error instanceof Error && 'code' in error : !lasting.has(answer.code);
}

/** The client keeps a listener for every call on the signal it is given, so each call gets a signal of its own. */
export async function abortable<T>(
  client: Client,
  signal: AbortSignal | undefined,
  action: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return action();
  const own = new AbortController();
  const abort = (): void => own.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await client.withAbortSignal(own.signal, action);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A long poll on the history that survives continue-as-new. */
class HistoryPoll {
  over = false;
  private token: Uint8Array | undefined;
  private runId: string | undefined;
  private readonly client: Client;
  private readonly workflowId: string;
  private readonly signal: AbortSignal | undefined;

  constructor(client: Client, workflowId: string, signal: AbortSignal | undefined) {
    this.client = client;
    this.workflowId = workflowId;
    this.signal = signal;
  }

  /** Resolves when there is something new, or after the server's own patience. */
  async next(): Promise<void> {
    const { client, signal } = this;
    const ask = () =>
      client.connection.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId: this.workflowId, ...(this.runId === undefined ? {} : { runId: this.runId }) },
        waitNewEvent: true,
        ...(this.token === undefined ? {} : { nextPageToken: this.token }),
      });
    const response = await abortable(client, signal, ask);
    if (response.nextPageToken.length > 0) {
      this.token = response.nextPageToken;
      return;
    }
    const next = response.history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    this.token = undefined;
    if (typeof next === 'string' && next !== '') this.runId = next;
    else this.over = true;
  }
}
