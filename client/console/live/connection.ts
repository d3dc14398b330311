import { effect, signal } from '@preact/signals';
import { ApiError } from '../api/api-error.ts';
import type { ActivityLine, LoggedEvent, TaskChange, TaskView } from '../api/wire.ts';
import { isSignedIn } from '../core/session.ts';
import { pollBoard, takeInbox, takeTasks, type InboxMessage, type TasksMessage } from './board.ts';
import type { TaskFeed } from './task-feed.ts';

/** `live`: by a stream. `asking`: by a question every few seconds. `lost`: nothing answers. */
export const link = signal<'connecting' | 'live' | 'asking' | 'lost'>('connecting');

/** The task whose page is open. */
const watched = signal<TaskFeed | undefined>(undefined);

export function watchTask(feed: TaskFeed | undefined): void {
  watched.value = feed;
}

/** Browsers give six connections to one host over HTTP/1.1: four tabs have a stream, the others ask. */
const streams = 4;
const askEveryMs = 3_000;
const retryMs = 5_000;
/** A connection that is away for longer than this is called lost. */
const patienceMs = 4_000;

/** Ends the stream that is open, so that the next one can be about another task. */
let hangUp: (() => void) | undefined;
let wake: (() => void) | undefined;

/** Follows the board, and the task whose page is open, for as long as somebody is signed in. */
export async function followBoard(): Promise<void> {
  effect(() => {
    void watched.value;
    hangUp?.();
    wake?.();
  });
  document.addEventListener('visibilitychange', () => wake?.());
  effect(() => {
    if (isSignedIn.value) wake?.();
  });
  for (;;) {
    if (!isSignedIn.value) await pause(retryMs);
    else if (!(await withLock(runStream))) await ask();
  }
}

/** Runs with one of the stream locks of this browser; false where all are taken, or the browser has none. */
async function withLock(run: () => Promise<void>): Promise<boolean> {
  // Plain http on another machine's address has no locks.
  const locks = 'locks' in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  if (locks === undefined) return false;
  for (let index = 0; index < streams; index++) {
    const ran = await locks.request(`heddle-stream-${index}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false;
      await run();
      return true;
    });
    if (ran) return true;
  }
  return false;
}

/** One stream, until the task changes or the server refuses it. */
async function runStream(): Promise<void> {
  const feed = watched.value;
  const query = feed === undefined ? '' : `?task=${encodeURIComponent(feed.id)}&since=${feed.since}`;
  const source = new EventSource(`/api/v1/stream${query}`);
  let late: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<'refused' | 'done'>((resolve) => {
    hangUp = () => resolve('done');
    source.addEventListener('open', () => {
      clearTimeout(late);
      late = undefined;
      link.value = 'live';
    });
    source.addEventListener('error', () => {
      // Each try to connect again ends with another error: the first one counts.
      late ??= setTimeout(() => (link.value = 'lost'), patienceMs);
      if (source.readyState === EventSource.CLOSED) resolve('refused');
    });
  });
  listen(source, feed);
  const how = await ended;
  source.close();
  hangUp = undefined;
  clearTimeout(late);
  if (how === 'done') return;
  // An event source does not say why it was refused; a plain request does.
  await ask();
}

/** The frames of the stream by their names; events of a task have none. */
interface Frames {
  inbox: InboxMessage;
  tasks: TasksMessage;
  message: LoggedEvent;
  status: TaskView;
  rows: TaskChange;
  activity: ActivityLine[];
  trouble: { text: string | null };
  gap: { from: number; to: number; host: string | null };
  end: { state: string };
}

function listen(source: EventSource, feed: TaskFeed | undefined): void {
  const on = <Name extends keyof Frames>(name: Name, take: (data: Frames[Name]) => void): void =>
    source.addEventListener(name, (event: MessageEvent<string>) => take(JSON.parse(event.data) as Frames[Name]));
  // Both come whole at first, after each connection.
  let whole = { inbox: true, tasks: true };
  source.addEventListener('open', () => (whole = { inbox: true, tasks: true }));
  on('inbox', (message) => {
    takeInbox(message, whole.inbox);
    whole.inbox = false;
  });
  on('tasks', (message) => {
    takeTasks(message, whole.tasks);
    whole.tasks = false;
  });
  if (feed === undefined) return;
  on('message', (event) => feed.queueEvent(event));
  on('status', (status) => {
    feed.takeStatus(status);
    // It did not answer when the page was opened: what no frame has is read now.
    if (feed.problem.value !== undefined) void feed.load();
  });
  on('rows', (change) => feed.takeChange(change));
  on('activity', (lines) => (feed.activity.value = lines));
  on('trouble', ({ text }) => (feed.trouble.value = text));
  on('gap', (gap) => (feed.gaps.value = [...feed.gaps.value, gap]));
  on('end', () => feed.takeEnd());
}

/** Asks once, and waits. A page out of sight asks nothing, so that it keeps no service awake. */
async function ask(): Promise<void> {
  if (!document.hidden) {
    try {
      await Promise.all([pollBoard(), watched.value?.poll()]);
      link.value = 'asking';
    } catch (error) {
      noteFailure(error);
    }
  }
  await pause(link.value === 'lost' ? retryMs : askEveryMs);
}

function noteFailure(error: unknown): void {
  if (error instanceof ApiError && error.status !== 0) return;
  link.value = 'lost';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
