import { mayOperate } from '../core/session.ts';
import { openTasks } from '../live/board.ts';
import { formatCount } from '../parts/format.ts';
import { Brand } from '../parts/icon.tsx';
import { Going } from './going.tsx';

/** Nothing waits: what is going on, and how to begin. */
export function EmptyInbox() {
  const working = openTasks.value.filter(({ waitingOn }) => waitingOn.length === 0).length;
  return (
    <div class="empty">
      <div class="empty-sign">
        <Brand />
      </div>
      <h1>Nothing needs you.</h1>
      <p class="quiet">
        {working === 0
          ? 'No task is working.'
          : `${formatCount(working, 'task')} ${working === 1 ? 'is' : 'are'} working.`}
      </p>
      {mayOperate.value ? <Begin /> : null}
      <Going />
    </div>
  );
}

function Begin() {
  return (
    <>
      <p class="acts">
        <a class="button first" href="/new">
          New task
        </a>
        <a class="button" href="/new?example=yes">
          Run an example
        </a>
      </p>
      <p class="small quiet">The example runs three small programs, needs no model, and asks you one question.</p>
    </>
  );
}
