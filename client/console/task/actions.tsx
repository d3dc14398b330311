import { useState } from 'preact/hooks';
import { at, post } from '../api/call.ts';
import { showToast } from '../core/announce.ts';
import { mayDecide, mayOperate } from '../core/session.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { CancelPanel } from './cancel-panel.tsx';
import { explainError } from '../api/api-error.ts';
import { RetryPanel } from './retry-panel.tsx';
import { SteerPanel } from './steer-panel.tsx';
import { UndoPanel } from './undo-panel.tsx';

type Open = 'steer' | 'cancel' | 'undo' | 'retry' | null;

/** The actions of a person on a task. Nothing opens over the page: the evidence stays in sight. */
export function Actions({ feed }: { feed: TaskFeed }) {
  const [open, setOpen] = useState<Open>(null);
  const head = feed.head.value;
  if (head === undefined) return null;
  const ended = head.endedAt !== null;
  const toggle = (name: Exclude<Open, null>) => (): void => setOpen(open === name ? null : name);
  const close = (): void => setOpen(null);
  return (
    <>
      <div class="acts">
        {mayOperate.value && !ended ? <PauseButton feed={feed} paused={head.state === 'paused'} /> : null}
        {mayDecide.value && !ended ? <Toggle name="Steer…" open={open === 'steer'} onPress={toggle('steer')} /> : null}
        {mayOperate.value && !ended ? (
          <Toggle name="Cancel…" stop open={open === 'cancel'} onPress={toggle('cancel')} />
        ) : null}
        {mayOperate.value && ended ? (
          <Toggle name="Undo…" stop open={open === 'undo'} onPress={toggle('undo')} />
        ) : null}
        {mayOperate.value && ended ? (
          <Toggle name="Run again…" open={open === 'retry'} onPress={toggle('retry')} />
        ) : null}
      </div>
      {open === 'steer' && !ended ? <SteerPanel feed={feed} onDone={close} /> : null}
      {open === 'cancel' && !ended ? <CancelPanel feed={feed} onDone={close} /> : null}
      {open === 'undo' ? <UndoPanel feed={feed} onDone={close} /> : null}
      {open === 'retry' ? <RetryPanel feed={feed} /> : null}
    </>
  );
}

function Toggle({
  name,
  open,
  stop = false,
  onPress,
}: {
  name: string;
  open: boolean;
  stop?: boolean;
  onPress: () => void;
}) {
  return (
    <button class={stop ? 'button stop' : 'button'} type="button" aria-expanded={open} onClick={onPress}>
      {name}
    </button>
  );
}

function PauseButton({ feed, paused }: { feed: TaskFeed; paused: boolean }) {
  const [sending, setSending] = useState(false);
  const press = async (): Promise<void> => {
    setSending(true);
    try {
      await post(`/tasks${at(feed.id)}${paused ? '/resume' : '/pause'}`, {});
      showToast(paused ? 'Resumed' : 'Paused: what runs ends, nothing new starts');
    } catch (error) {
      showToast(explainError(error).message, 'fail');
    }
    setSending(false);
  };
  return (
    <button class="button" type="button" disabled={sending} onClick={() => void press()}>
      {paused ? 'Resume' : 'Pause'}
    </button>
  );
}
