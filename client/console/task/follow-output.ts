import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { send } from '../api/call.ts';

/** The output of an attempt, as far as a page has it. */
export interface ShownOutput {
  text: string;
  /** The part of a reply that the model is giving: it is not kept, and differs after a crash. */
  draft: string;
  /** Why the rest cannot be shown. */
  trouble: string | null;
  error: unknown;
  read: boolean;
}

/** How often a page without a stream asks. */
const askEveryMs = 1_500;
/** Characters that are kept in the page; the whole is one link away. */
const mostKept = 400_000;
/** Browsers give six connections to one host: four are the streams of tabs, one is for the output that somebody looks at. */
const streamLock = 'heddle-output';

const nothing: ShownOutput = { text: '', draft: '', trouble: null, error: undefined, read: false };

/** The output of an attempt; of a running one what is there, and then each piece as it comes. */
export function useOutput(path: string, running: boolean): ShownOutput {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    const leaving = new AbortController();
    const reader = new OutputReader(path, (change) => {
      if (!leaving.signal.aborted) setState((before) => ({ ...before, ...change(before), read: true }));
    });
    void (running ? reader.follow(leaving.signal) : reader.readMore());
    return () => leaving.abort();
  }, [path, running]);
  return state;
}

type Change = (before: ShownOutput) => Partial<ShownOutput>;

/** Reads one output by requests or by a stream, and knows how much of it the page has. */
class OutputReader {
  private offset = 0;
  private decoder = new TextDecoder();

  private readonly path: string;
  private readonly change: (change: Change) => void;

  constructor(path: string, change: (change: Change) => void) {
    this.path = path;
    this.change = change;
  }

  /** Follows to the end. A page out of sight neither asks nor keeps the stream from another tab. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!document.hidden) {
        const how = await withStreamLock(() => this.stream(signal));
        if (how === 'ended') return;
        if (how === undefined) await this.readMore();
      }
      await pause(askEveryMs, signal);
    }
  }

  /** Reads on behind the bytes that the page has. */
  async readMore(): Promise<void> {
    const isFirst = this.offset === 0;
    try {
      const bytes = await readFrom(this.path, this.offset);
      this.offset += bytes.byteLength;
      const more = this.decoder.decode(bytes, { stream: true });
      this.change(({ text }) => ({ text: keep(isFirst ? more : text + more), draft: '', error: undefined }));
    } catch (error) {
      this.change(() => ({ error }));
    }
  }

  /** From the first byte on, so that nothing depends on what was read before. */
  private stream(signal: AbortSignal): Promise<'ended' | 'left'> {
    const source = new EventSource(`/api/v1${this.path}`);
    const over = new AbortController();
    return new Promise<'ended' | 'left'>((resolve) => {
      const on = (name: string, take: (data: unknown, id: string) => void): void =>
        source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
          take(JSON.parse(data), lastEventId),
        );
      let begun = false;
      on('message', (more, id) => {
        const before = begun;
        begun = true;
        this.decoder = new TextDecoder();
        this.offset = Number(id);
        this.change(({ text }) => ({ text: keep(`${before ? text : ''}${String(more)}`), error: undefined }));
      });
      on('restart', () => this.change(() => ({ text: '', draft: '' })));
      on('draft', (data) => {
        const { text } = data as { text: string | null };
        this.change(({ draft }) => ({ draft: text === null ? '' : keep(draft + text) }));
      });
      on('trouble', (data) => this.change(() => ({ trouble: (data as { text: string | null }).text })));
      on('end', () => resolve('ended'));
      source.addEventListener('open', () => this.change(() => ({ trouble: null, draft: '' })));
      source.addEventListener('error', () => {
        if (source.readyState === EventSource.CLOSED) resolve('left');
      });
      const leave = (): void => resolve('left');
      signal.addEventListener('abort', leave, { signal: over.signal });
      document.addEventListener('visibilitychange', () => document.hidden && leave(), { signal: over.signal });
      if (signal.aborted) leave();
    }).finally(() => {
      over.abort();
      source.close();
    });
  }
}

const keep = (text: string): string => text.slice(-mostKept);

/** Undefined where another tab has the lock, or the browser has none: plain http on another machine's address. */
async function withStreamLock<Value>(run: () => Promise<Value>): Promise<Value | undefined> {
  const locks = 'locks' in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  if (locks === undefined) return undefined;
  return locks.request(streamLock, { ifAvailable: true }, (lock) => (lock === null ? undefined : run()));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The bytes behind an offset; none where there are no more. */
async function readFrom(path: string, offset: number): Promise<Uint8Array> {
  try {
    const headers = offset === 0 ? {} : { range: `bytes=${offset}-` };
    const response = await send('GET', path, { accept: 'text/plain', headers });
    return response.status === 204 ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof ApiError && error.status === 416) return new Uint8Array();
    throw error;
  }
}
