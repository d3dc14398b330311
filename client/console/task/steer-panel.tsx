import { useState } from 'preact/hooks';
import { at, post } from '../api/call.ts';
import { showToast } from '../core/announce.ts';
import { mayOperate } from '../core/session.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { useSend } from './use-send.ts';

/** Something that every later attempt, or those of one subtask, is told. */
export function SteerPanel({ feed, onDone }: { feed: TaskFeed; onDone: () => void }) {
  const [text, setText] = useState('');
  const [subtask, setSubtask] = useState('');
  const [replan, setReplan] = useState(false);
  const { send, sending, error } = useSend(async () => {
    await post(`/tasks${at(feed.id)}/steer`, {
      text: text.trim(),
      ...(subtask === '' ? {} : { subtask }),
      ...(replan ? { replan } : {}),
    });
    showToast('Told');
    onDone();
  });
  return (
    <form
      class="drawer sheet"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="stack">
        <span class="label">What should it do differently?</span>
        <textarea
          class="words"
          required
          autofocus
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="acts">
        <select
          class="field"
          aria-label="For which subtask"
          value={subtask}
          onChange={(event) => setSubtask(event.currentTarget.value)}
        >
          <option value="">for the whole task</option>
          {feed.subtasks.value.map(({ id }) => (
            <option key={id} value={id}>
              for {id}
            </option>
          ))}
        </select>
        {mayOperate.value ? (
          <label class="check">
            <input type="checkbox" checked={replan} onChange={(event) => setReplan(event.currentTarget.checked)} />
            make a new plan with it
          </label>
        ) : null}
        <button class="button first" type="submit" disabled={sending || text.trim() === ''}>
          {sending ? 'Sending…' : 'Send'}
        </button>
        <button class="button" type="button" onClick={onDone}>
          Close
        </button>
      </div>
      <Failure error={error} />
    </form>
  );
}
