import { useState } from 'preact/hooks';
import { at, send as request } from '../api/call.ts';
import { showToast } from '../core/announce.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { useSend } from './use-send.ts';

export function CancelPanel({ feed, onDone }: { feed: TaskFeed; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const { send, sending, error } = useSend(async () => {
    await request('POST', `/tasks${at(feed.id)}/cancel`, {
      body: reason.trim() === '' ? {} : { reason: reason.trim() },
    });
    showToast('The task is being cancelled');
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
      <p>
        What runs is stopped and nothing new starts. What is done is kept, and the task can be run again from there.
      </p>
      <label class="stack">
        <span class="label">Why (optional)</span>
        <input class="field" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="acts">
        <button class="button stop" type="submit" disabled={sending}>
          {sending ? 'Cancelling…' : 'Cancel the task'}
        </button>
        <button class="button" type="button" onClick={onDone}>
          Let it go on
        </button>
      </div>
      <Failure error={error} />
    </form>
  );
}
