import { clientLimits } from '../limits/client-limits.ts';
import type { FeedState } from './feed-state.ts';
import type { OlderPart } from './older-events.ts';
import type { ReadOptions, TaskNews } from './task-news.ts';

/** A signal that nobody aborts. */
const never = new AbortController().signal;

/** Reads events that the window does not have; undefined where they cannot be had for now. */
type ReadOlder = (after: number, signal: AbortSignal) => Promise<OlderPart | undefined>;

/** One reader of a feed: a cursor in its events, and the versions of the status and of the lines that it has seen. */
export async function* readFeed(
  state: FeedState,
  readOlder: ReadOlder,
  { since = 0, signal = never, status = false, activity = false }: ReadOptions,
): AsyncGenerator<TaskNews, void, undefined> {
  const { window } = state;
  const seen = { number: since, status: 0, activity: 0, trouble: undefined as string | undefined };
  let lastTries = 0;
  while (!signal.aborted && !state.isClosed) {
    if (state.trouble !== seen.trouble) {
      seen.trouble = state.trouble;
      yield { kind: 'trouble', trouble: state.trouble };
    } else if (status && state.status !== undefined && state.status.version > seen.status) {
      seen.status = state.status.version;
      yield { kind: 'status', status: state.status.value };
    } else if (activity && state.activity !== undefined && state.activity.version > seen.activity) {
      seen.activity = state.activity.version;
      yield { kind: 'activity', activity: state.activity.value };
    } else if (seen.number < window.start) {
      const part = await readOlder(seen.number, signal);
      if (part === undefined) {
        if (state.isOver && (lastTries += 1) >= clientLimits.follow.lastTries) return;
        continue;
      }
      yield* collectNews(part);
      // The window began at a number that the task has not reached yet.
      if (part.upTo === seen.number) window.restart(seen.number);
      seen.number = part.upTo;
      if (part.items.at(-1)?.type === 'task.ended') return;
    } else {
      const event = state.isUnchecked ? undefined : window.after(seen.number);
      if (event !== undefined) {
        seen.number = event.id;
        yield { kind: 'event', event };
        if (event.type === 'task.ended') return;
      } else if (state.failure !== undefined) throw state.failure.error;
      else if (state.isOver) return;
      else await state.wait(signal);
    }
  }
}

function* collectNews({ missing, items }: OlderPart): Generator<TaskNews, void, undefined> {
  for (const gap of missing) yield { kind: 'gap', gap };
  for (const event of items) yield { kind: 'event', event };
}
