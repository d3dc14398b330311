import { useEffect, useRef } from 'preact/hooks';
import { at } from '../api/call.ts';
import type { AttemptView } from '../api/wire.ts';
import { Failure } from '../parts/failure.tsx';
import { useOutput } from './follow-output.ts';

/** The output of an attempt; of a running one as far as it is there, and then what follows, drafts of the model's words included. */
export function Output({ task, attempt }: { task: string; attempt: AttemptView }) {
  const path = `/tasks${at(task)}/subtasks${at(attempt.subtask)}/attempts${at(attempt.attempt)}/output`;
  const running = attempt.outcome === 'running';
  const { text, draft, trouble, error, read } = useOutput(path, running);
  const room = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const pre = room.current;
    if (running && pre !== null) pre.scrollTop = pre.scrollHeight;
  }, [text, draft]);
  if (error !== undefined && text === '') return <Failure error={error} />;
  return (
    <>
      <pre class="output" ref={room} tabIndex={0} aria-label={`Output of attempt ${attempt.attempt}`}>
        {text === '' && draft === '' ? <span class="quiet">{wordFor(read, running)}</span> : text}
        {draft === '' ? null : (
          <span class="draft">
            <span class="draft-label">the model is writing</span>
            {draft}
          </span>
        )}
      </pre>
      <p class="small">
        <a href={`/api/v1${path}`} target="_blank" rel="noreferrer">
          The whole as text
        </a>
        {running ? <span class="quiet"> · it follows what runs</span> : null}
        {trouble === null ? null : <span class="quiet"> · {trouble}</span>}
      </p>
    </>
  );
}

function wordFor(read: boolean, running: boolean): string {
  if (!read) return 'Reading…';
  return running ? 'Nothing was printed so far.' : 'Nothing was printed.';
}
