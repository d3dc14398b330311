import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { mayOperate } from '../core/session.ts';
import { hrefOf, navigate } from '../core/router.ts';
import { openTasks } from '../live/board.ts';
import { formatCount } from '../parts/format.ts';
import { Brand } from '../parts/icon.tsx';
import { Failure } from '../parts/failure.tsx';
import { Going } from './going.tsx';
import { examplePlan } from './example-plan.ts';

/** Nothing waits: what is going on, and how to begin. */
export function EmptyInbox() {
  const working = openTasks.value.filter(({ waitingOn }) => waitingOn.length === 0).length;
  return (
    <div class="empty">
      <div class="empty-sign">
        <Brand />
      </div>
      <h1>Nothing needs you.</h1>
      <p class="quiet">{working === 0 ? 'No task is working.' : `${formatCount(working, 'task')} working.`}</p>
      {mayOperate.value ? <Begin /> : null}
      <Going />
    </div>
  );
}

function Begin() {
  const [error, setError] = useState<unknown>();
  const [starting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    setError(undefined);
    try {
      const { taskId } = await post<{ taskId: string }>('/tasks', { plan: examplePlan, shareWorkspace: true });
      navigate(hrefOf.task(taskId));
    } catch (caught) {
      setError(caught);
      setStarting(false);
    }
  };
  return (
    <>
      <p class="acts">
        <a class="button first" href="/new">
          New task
        </a>
        <button class="button" type="button" disabled={starting} onClick={() => void start()}>
          {starting ? 'Starting…' : 'Run an example'}
        </button>
      </p>
      <p class="small quiet">The example runs three small programs, needs no model, and asks you one question.</p>
      <Failure error={error} />
    </>
  );
}
