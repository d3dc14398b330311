import { at, getText } from '../api/call.ts';
import type { AttemptView } from '../api/wire.ts';
import { Failure } from '../parts/failure.tsx';
import { Prose } from '../parts/prose.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** The whole conversation of an agent, as it is kept. */
export function Conversation({ task, attempt }: { task: string; attempt: AttemptView }) {
  const path = `/tasks${at(task)}/subtasks${at(attempt.subtask)}/attempts${at(attempt.attempt)}/transcript`;
  const { value, error, reload } = useLoaded(() => getText(path, 'text/markdown'), [path, attempt.outcome]);
  if (error !== undefined) return <Failure error={error} />;
  if (value === undefined) return <p class="quiet">Reading the conversation…</p>;
  if (value === '') return <p class="quiet">Nothing was said.</p>;
  return (
    <>
      <div class="talk">
        <Prose text={value} />
      </div>
      {attempt.outcome === 'running' ? (
        <button class="button" type="button" onClick={reload}>
          Read on
        </button>
      ) : null}
    </>
  );
}
