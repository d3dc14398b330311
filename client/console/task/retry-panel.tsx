import { useState } from 'preact/hooks';
import { at, post } from '../api/call.ts';
import { hrefOf, navigate } from '../core/router.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { formatList } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useSend } from './use-send.ts';

interface DryRun {
  taskId: string;
  reused: string[];
  runs: string[];
}

/** Runs a task again from a subtask; what would run and what is taken over is shown first. */
export function RetryPanel({ feed }: { feed: TaskFeed }) {
  const [from, setFrom] = useState('');
  const path = `/tasks${at(feed.id)}/retry`;
  const body = from === '' ? {} : { from };
  const { value, error } = useLoaded(() => post<DryRun>(path, { ...body, dryRun: true }), [from]);
  const start = useSend(async () => {
    const { taskId } = await post<{ taskId: string }>(path, body);
    navigate(hrefOf.task(taskId));
  });
  return (
    <div class="drawer sheet">
      <label class="stack">
        <span class="label">Run again from</span>
        <select class="field" value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
          <option value="">what is not done</option>
          {feed.subtasks.value.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <Failure error={start.error ?? error} />
      {value === undefined ? null : (
        <p class="small">
          Runs {value.runs.length === 0 ? 'nothing' : formatList(value.runs, 8)}; takes over{' '}
          {value.reused.length === 0 ? 'nothing' : formatList(value.reused, 8)}.
        </p>
      )}
      <div class="acts">
        <button
          class="button first"
          type="button"
          disabled={start.sending || value === undefined || value.runs.length === 0}
          onClick={start.send}
        >
          {start.sending ? 'Starting…' : 'Run again'}
        </button>
      </div>
    </div>
  );
}
