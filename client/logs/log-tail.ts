import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { openLive, openOutput, readFrom, damagedText, skipBytes } from './attempt-output.ts';
import { attemptKey, type LogPrinter } from './log-printer.ts';
import type { Selection } from './select-attempts.ts';

export interface TailOptions extends Omit<Selection, 'over'> {
  printer: LogPrinter;
  signal: AbortSignal;
}

interface TailPosition {
  bytes: number;
  inode: number | undefined;
  over: boolean;
}

/** `subtask.blocked` is none of them: it may wait for a person. */
const subtaskEnds: ReadonlySet<string> = new Set(['subtask.completed', 'subtask.failed', 'subtask.skipped']);

/** Prints what attempts write as they write it, until the task, or the subtask that was named, has ended. */
export async function tailLogs(options: TailOptions): Promise<void> {
  const shown = new Map<string, TailPosition>();
  const news = watchNews(options);
  let records: AttemptView[] = [];
  try {
    for (let over = false; !over && !options.signal.aborted;) {
      over = news.over;
      if (news.take()) records = (await options.handle.attempts()).filter(options.matches);
      for (const record of records) await showNew(options, shown, record);
      if (!over) await sleep(clientLimits.cli.logPoll, undefined, { signal: options.signal }).catch(() => undefined);
    }
    news.check();
  } finally {
    await news.stop();
  }
}

async function showNew(options: TailOptions, shown: Map<string, TailPosition>, record: AttemptView): Promise<void> {
  const state = shown.get(attemptKey(record)) ?? { bytes: 0, inode: undefined, over: false };
  shown.set(attemptKey(record), state);
  if (state.over) return;
  if (record.outcome === 'running') await showLive(options, state, record);
  else await showEnded(options, state, record);
}

async function showLive(
  { files, handle, printer }: TailOptions,
  state: TailPosition,
  record: AttemptView,
): Promise<void> {
  const live = await openLive(files, handle.id, record);
  if (live === undefined) return;
  if (state.inode !== undefined && (live.inode !== state.inode || live.size < state.bytes)) {
    await printer.remark(record, 'started again');
    state.bytes = 0;
  }
  state.inode = live.inode;
  if (live.size > state.bytes) state.bytes += await printer.print(record, readFrom(live.path, state.bytes));
}

async function showEnded(options: TailOptions, state: TailPosition, record: AttemptView): Promise<void> {
  const { printer, files, handle } = options;
  state.over = true;
  const output = await openOutput(files, handle.id, record);
  if (output === 'nothing') return printer.remark(record, record.summary === '' ? 'no output' : record.summary);
  if (output === 'damaged') return printer.remark(record, damagedText);
  if (output === 'elsewhere') return printer.remark(record, options.elsewhere);
  const rest = await printer.print(record, skipBytes(output.bytes, state.bytes));
  if (rest + state.bytes === 0) await printer.remark(record, 'no output');
}

/** Events only say that there may be something new to read. */
function watchNews({ handle, signal, subtask }: TailOptions) {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort, { once: true });
  const state: { fresh: boolean; over: boolean; error?: Error } = { fresh: true, over: false };
  const following = (async () => {
    try {
      for await (const event of handle.follow({ signal: stop.signal })) {
        state.fresh = true;
        if (subtask !== undefined && subtaskEnds.has(event.type) && 'subtask' in event && event.subtask === subtask)
          break;
      }
    } catch (error) {
      state.error = error instanceof Error ? error : new Error(String(error));
    }
    state.fresh = true;
    state.over = true;
  })();
  return {
    get over() {
      return state.over;
    },
    take() {
      const { fresh } = state;
      state.fresh = false;
      return fresh;
    },
    check() {
      if (state.error !== undefined) throw state.error;
    },
    async stop() {
      stop.abort();
      signal.removeEventListener('abort', abort);
      await following;
    },
  };
}
