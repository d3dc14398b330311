import { useState } from 'preact/hooks';
import { at, post } from '../api/call.ts';
import { showToast } from '../core/announce.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount, formatList } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useSend } from './use-send.ts';

interface UndoAnswer {
  files: { path: string; action: 'restored' | 'removed' | 'mode' }[];
  changedByOthers?: { path: string }[];
}

/** The files that undo would touch are shown before it does it. */
export function UndoPanel({ feed, onDone }: { feed: TaskFeed; onDone: () => void }) {
  const [subtask, setSubtask] = useState('');
  const body = subtask === '' ? {} : { subtask };
  const path = `/tasks${at(feed.id)}/undo`;
  const { value, error } = useLoaded(() => post<UndoAnswer>(path, { ...body, dryRun: true }), [subtask]);
  const undo = useSend(async () => {
    const { files } = await post<UndoAnswer>(path, body);
    showToast(`Undone: ${formatCount(files.length, 'file')}`);
    onDone();
  });
  const changed = feed.subtasks.value.filter(({ attempts }) => attempts > 0);
  return (
    <div class="drawer sheet">
      <label class="stack">
        <span class="label">Undo the changes of</span>
        <select class="field" value={subtask} onChange={(event) => setSubtask(event.currentTarget.value)}>
          <option value="">the whole task</option>
          {changed.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      <Failure error={undo.error ?? error} />
      {value === undefined ? null : <Preview answer={value} />}
      <div class="acts">
        <button
          class="button stop"
          type="button"
          disabled={undo.sending || value === undefined || value.files.length === 0}
          onClick={undo.send}
        >
          {undo.sending ? 'Undoing…' : `Undo ${value === undefined ? '' : formatCount(value.files.length, 'file')}`}
        </button>
        <button class="button" type="button" onClick={onDone}>
          Close
        </button>
      </div>
    </div>
  );
}

function Preview({ answer: { files, changedByOthers = [] } }: { answer: UndoAnswer }) {
  return (
    <>
      <ul class="files">
        {files.slice(0, 20).map(({ path, action }) => (
          <li key={path}>
            <code>{path}</code> <span class="quiet">{action === 'removed' ? 'is removed' : 'is restored'}</span>
          </li>
        ))}
        {files.length > 20 ? <li class="quiet">and {files.length - 20} more</li> : null}
        {files.length === 0 ? <li class="quiet">There is nothing to undo.</li> : null}
      </ul>
      {changedByOthers.length === 0 ? null : (
        <p class="small is-ask">
          Others changed these since, so they stay: {formatList(changedByOthers.map(({ path }) => path))}
        </p>
      )}
    </>
  );
}
