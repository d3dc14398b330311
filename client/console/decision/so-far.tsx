import { at, get, withQuery } from '../api/call.ts';
import type { TaskDiff } from '../api/wire.ts';
import { hrefOf } from '../core/router.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { formatCount } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';

const mostFiles = 3;

/** The changes of a subtask up to now, beside the question about it. */
export function SoFar({ task, subtask, done }: { task: string; subtask: string; done: boolean }) {
  const { value } = useLoaded(
    (signal) => get<TaskDiff>(withQuery(`/tasks${at(task)}/diff`, { subtask }), signal),
    [task, subtask],
  );
  if (value === undefined || value.files.length === 0) return null;
  return (
    <div>
      <div class="label">
        {done ? 'What it changed' : 'What it changed so far'}
        <a href={`${hrefOf.task(task)}?tab=changes&subtask=${encodeURIComponent(subtask)}`}>
          {formatCount(value.files.length, 'file')}
        </a>
      </div>
      <DiffView task={task} subtask={subtask} mostFiles={mostFiles} />
    </div>
  );
}
