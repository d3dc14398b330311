import type { Client } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcCancelledError } from '@temporalio/client';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import { findGrpcError } from '../temporal/explain-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { HistoryPoll } from './history-poll.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { Gap, Stretch } from './read-pages.ts';

/**
 * Options of {@link TaskHandle.follow}.
 *
 * @example
 * ```ts
 * for await (const event of task.follow({ since: 12 })) console.log(event.id, event.text);
 * ```
 */
export interface FollowOptions {
  /** Events after this number. */
  since?: number;
  /** Ends the following when it is aborted. */
  signal?: AbortSignal;
  /** Called with a reason when events cannot be read for a while, and with undefined when they can again. */
  onTrouble?: (what: string | undefined) => void;
  /** Called with the numbers of events that only another store has, before the event that follows them. */
  onMissing?: (gap: Gap) => void | Promise<void>;
}

export interface FollowSource {
  client: Client;
  workflowId: string;
  /** A page of the events after a number that the task holds; empty at the end. */
  page: (since: number) => Promise<EventOfTask[]>;
  /** Events that older runs moved to the store, between two numbers (both not included). */
  archived: (after: number, before: number) => Promise<Stretch<EventOfTask>>;
}

/**
 * The events of a task as they happen, to its end. The history's long poll only says that there is something new; what it is
 * comes from the query `events`, so there is one log and no polling.
 */
export async function* followTask(
  source: FollowSource,
  options: FollowOptions = {},
): AsyncGenerator<EventOfTask, void, undefined> {
  let last = options.since ?? 0;
  let lastTries = 0;
  const news = new HistoryPoll(source.client, source.workflowId, options.signal);
  const stopped = (): boolean => options.signal?.aborted ?? false;
  while (!stopped()) {
    const page = await patiently(() => source.page(last), options);
    for (const event of page ?? []) {
      for await (const older of before(source, event, last, options)) yield older;
      last = event.id;
      yield event;
      if (event.type === 'task.ended') return;
    }
    // What a page has no room for is asked for at once; what comes later wakes the long poll, which began before this page.
    if (page !== undefined && page.length > 0 && (news.over || mayHaveMore(page))) continue;
    // The server's word that it is over holds, also when nobody can tell the last events.
    if (news.over && (page !== undefined || (lastTries += 1) >= clientLimits.follow.lastTries)) return;
    if (stopped()) return;
    await patiently(() => news.next(), options);
    if (!stopped()) await sleep(clientLimits.follow.pause);
  }
}

/** An event is far smaller than half a page. */
const mayHaveMore = (page: EventOfTask[]): boolean => JSON.stringify(page).length > limits.answerBytes / 4;

/** What lies between the last event that was told and this one is in the store. */
async function* before(
  source: FollowSource,
  event: EventOfTask,
  last: number,
  options: FollowOptions,
): AsyncGenerator<EventOfTask, void, undefined> {
  if (event.id <= last + 1) return;
  const older = await patiently(() => source.archived(last, event.id), options);
  const { items, missing } = older ?? { items: [], missing: [{ from: last + 1, to: event.id - 1 }] };
  for (const gap of missing) await options.onMissing?.(gap);
  yield* items;
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
    onTrouble?.(
      findGrpcError(error)?.code === unavailable ? 'the Temporal server is not responding' : 'no worker is responding',
    );
    await sleep(clientLimits.follow.retry, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(
      () => undefined,
    );
    return undefined;
  }
}

const unavailable = 14;
/** Bad argument, not found, not permitted, not implemented, not authenticated: asking again does not help. */
const lasting: ReadonlySet<number> = new Set([3, 5, 7, 12, 16]);

function passes(error: unknown): boolean {
  const answer = findGrpcError(error);
  return answer === undefined ? error instanceof Error && 'code' in error : !lasting.has(answer.code);
}
