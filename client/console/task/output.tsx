import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { at, send } from '../api/call.ts';
import type { AttemptView } from '../api/wire.ts';
import { Failure } from '../parts/failure.tsx';

/** How often the output of a running attempt is asked for. A stream for it would take a connection from the page. */
const askEveryMs = 1_500;
/** Characters that are kept in the page; the whole is one link away. */
const mostKept = 400_000;

/** The output of an attempt; of a running one as far as it is there, and then what follows. */
export function Output({ task, attempt }: { task: string; attempt: AttemptView }) {
  const path = `/tasks${at(task)}/subtasks${at(attempt.subtask)}/attempts${at(attempt.attempt)}/output`;
  const running = attempt.outcome === 'running';
  const { text, error, read } = useOutput(path, running);
  const room = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const pre = room.current;
    if (running && pre !== null) pre.scrollTop = pre.scrollHeight;
  }, [text]);
  if (error !== undefined && text === '') return <Failure error={error} />;
  return (
    <>
      <pre class="output" ref={room} tabIndex={0} aria-label={`Output of attempt ${attempt.attempt}`}>
        {text === '' ? <span class="quiet">{read ? 'Nothing was printed.' : 'Reading…'}</span> : text}
      </pre>
      <p class="small">
        <a href={`/api/v1${path}`} target="_blank" rel="noreferrer">
          The whole as text
        </a>
        {running ? <span class="quiet"> · a draft: it follows what runs</span> : null}
      </p>
    </>
  );
}

function useOutput(path: string, running: boolean): { text: string; error: unknown; read: boolean } {
  const [state, setState] = useState<{ text: string; error: unknown; read: boolean }>({
    text: '',
    error: undefined,
    read: false,
  });
  useEffect(() => {
    let left = false;
    let offset = 0;
    const decoder = new TextDecoder();
    const readMore = async (): Promise<void> => {
      try {
        const bytes = await readFrom(path, offset);
        if (left) return;
        offset += bytes.byteLength;
        const more = decoder.decode(bytes, { stream: true });
        setState((before) => ({ text: `${before.text}${more}`.slice(-mostKept), error: undefined, read: true }));
      } catch (error) {
        if (!left) setState((before) => ({ ...before, error, read: true }));
      }
    };
    void readMore();
    const timer = running ? setInterval(() => void (document.hidden || readMore()), askEveryMs) : undefined;
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [path, running]);
  return state;
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
