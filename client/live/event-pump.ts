import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { EventWindow } from './event-window.ts';
import type { HistoryPoll } from './history-poll.ts';
import { patiently } from './patience.ts';

export interface EventPump {
  window: EventWindow;
  poll: HistoryPoll;
  /** A page of the events after a number that the task holds; empty at the end. */
  page: (since: number, signal: AbortSignal) => Promise<EventOfTask[]>;
  signal: AbortSignal;
  /** Resolves when a reader has everything that the window holds. */
  untilRead: () => Promise<void>;
  /** The window holds nothing that the task has lost. */
  onChecked: () => void;
  onPage: (page: readonly EventOfTask[]) => void;
  onTrouble: (trouble: string | undefined) => void;
}

/**
 * Fills the window with the events of a task as they happen, to its end; resolves to true there, to false when it was stopped. The
 * history's long poll only wakes. The query `events` says what is new, so there is one log, and no polling of it.
 */
export async function pumpEvents(pump: EventPump): Promise<boolean> {
  const { window, poll, signal } = pump;
  const isStopped = (): boolean => signal.aborted;
  const patience = {
    signal,
    onTrouble(trouble: string | undefined) {
      // A server that was killed may have lost what a worker had told already: those events come again, with other content.
      if (trouble !== undefined) window.restart(window.head);
      pump.onTrouble(trouble);
    },
  };
  let lastTries = 0;
  await checkWindow(pump, patience);
  if (isStopped()) return false;
  pump.onChecked();
  while (!isStopped()) {
    await pump.untilRead();
    const after = window.head;
    const page = await patiently(() => pump.page(after, signal), patience);
    if (isStopped()) return false;
    if (page !== undefined) {
      if (window.head !== after) continue;
      window.take(page);
      pump.onPage(page);
      if (window.last?.type === 'task.ended') return true;
    }
    // The rest of a full page is asked for at once; a later event wakes the long poll, which began before this page.
    if (page !== undefined && page.length > 0 && (poll.isOver || mayHaveMore(page))) continue;
    // The server's word that it is over holds, also when nobody can tell the last events.
    if (poll.isOver && (page !== undefined || (lastTries += 1) >= clientLimits.follow.lastTries)) return true;
    await patiently(() => poll.next(signal), patience);
    if (!isStopped()) await sleep(clientLimits.follow.pause);
  }
  return false;
}

/** A window that nobody filled for a while is dropped where the task has another event at its head: see the loss above. */
async function checkWindow({ window, page, signal }: EventPump, patience: Parameters<typeof patiently>[1]) {
  const { last, head } = window;
  if (last === undefined) return;
  const [same] = (await patiently(() => page(head - 1, signal), patience)) ?? [];
  if (!signal.aborted && !isDeepStrictEqual(same, last)) window.restart(head);
}

/** An event is far smaller than half a page. */
const mayHaveMore = (page: readonly EventOfTask[]): boolean => JSON.stringify(page).length > limits.answerBytes / 4;
