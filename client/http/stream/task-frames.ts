import { setTimeout as sleep } from 'node:timers/promises';
import type { EndState } from '../../../domain/types/events.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { LiveActivity } from '../../live/live-activity.ts';
import type { RecentLooks } from '../../live/recent-looks.ts';
import type { TaskNews } from '../../live/task-news.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { writeRowChanges } from './row-changes.ts';
import type { Frame } from './sse-writer.ts';
import { writeJson } from './write-json.ts';

export interface TaskFrameOptions {
  /** Events after this number. */
  since: number;
  signal: AbortSignal;
  looks: RecentLooks;
  /** Told each event that is about to be sent. */
  onEvent?: (event: EventOfTask) => void;
}

/** The frames of one task: its status once, then what happens to it, to its end. */
export async function* listTaskFrames(
  handle: TaskHandle,
  { since, signal, looks, onEvent }: TaskFrameOptions,
): AsyncGenerator<Frame, void, undefined> {
  const sent = new SentFrames(await firstStatus(handle, looks));
  if (sent.status !== undefined) yield named('status', sent.status);
  let end: EndState | undefined;
  for await (const news of handle.feed().read({ since, signal, status: true, activity: true })) {
    if (news.kind === 'event') {
      onEvent?.(news.event);
      if (news.event.type === 'task.ended') end = news.event.state;
    }
    const frame = sent.frameOf(news);
    if (frame !== undefined) yield frame;
  }
  if (signal.aborted) return;
  // A reader who connects again learns at once that there is nothing more.
  looks.forget(`status of ${handle.id}`);
  // The last rows changed with the last event, at which a feed ends.
  const last = await looks.get(`end of ${handle.id}`, () => handle.status()).catch(() => undefined);
  const rows = last === undefined ? undefined : sent.frameOf({ kind: 'status', status: last });
  if (rows !== undefined) yield rows;
  yield {
    event: 'end',
    data: JSON.stringify({ state: last?.state ?? end ?? (await handle.end())?.state ?? 'failed' }),
  };
}

/** The status that all who open a stream at the same time begin with. Trouble with it is told by the feed. */
function firstStatus(handle: TaskHandle, looks: RecentLooks): Promise<StatusView | undefined> {
  const status = looks.get(`status of ${handle.id}`, () => handle.status()).catch(() => undefined);
  return Promise.race([status, sleep(clientLimits.streams.firstStatus, undefined, { ref: false })]);
}

/** Turns news into frames, by what this reader was sent before. */
class SentFrames {
  status: StatusView | undefined;
  #activity = '[]';

  constructor(status: StatusView | undefined) {
    this.status = status;
  }

  /** Undefined where the reader has it already. */
  frameOf(news: TaskNews): Frame | undefined {
    switch (news.kind) {
      case 'event':
        return { id: news.event.id, data: writeJson(news.event) };
      case 'gap':
        return { event: 'gap', data: JSON.stringify({ ...news.gap, host: this.status?.host ?? null }) };
      case 'trouble':
        return { event: 'trouble', data: JSON.stringify({ text: news.trouble ?? null }) };
      case 'status':
        return this.#takeStatus(news.status);
      case 'activity':
        return this.#takeActivity(news.activity);
    }
  }

  #takeStatus(status: StatusView): Frame | undefined {
    const before = this.status;
    this.status = status;
    if (before === undefined) return named('status', status);
    const data = writeRowChanges(before, status);
    return data === undefined ? undefined : { event: 'rows', data };
  }

  #takeActivity(activity: readonly LiveActivity[]): Frame | undefined {
    const data = writeJson(activity);
    if (data === this.#activity) return undefined;
    this.#activity = data;
    return { event: 'activity', data };
  }
}

const named = (event: string, value: object): Frame => ({ event, data: writeJson(value) });
