import { at, get, withQuery } from '../api/call.ts';
import type { TaskDiff } from '../api/wire.ts';
import { hrefWith, query } from '../core/router.ts';
import { DiffView } from '../diff/diff-view.tsx';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount, formatList } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** Changes of the task, or of one of its subtasks, in the workspace. */
export function ChangesTab({ feed }: { feed: TaskFeed }) {
  const subtask = query.value.get('subtask');
  // Read again as subtasks end.
  const done = feed.subtasks.value.filter(({ endedAt }) => endedAt !== null).length;
  const { value, error } = useLoaded(
    (signal) => get<TaskDiff>(withQuery(`/tasks${at(feed.id)}/diff`, { subtask }), signal),
    [subtask, done],
  );
  if (error !== undefined) return <Failure error={error} />;
  if (value === undefined) return <p class="quiet">Reading the changes…</p>;
  return (
    <section class="panel sheet">
      <h2>
        {subtask === null ? 'All changes' : `Changes of ${subtask}`}{' '}
        <small>{formatCount(value.files.length, 'file')}</small>
      </h2>
      {subtask === null ? null : (
        <p class="small">
          <a href={hrefWith({ subtask: null })}>All changes</a>
        </p>
      )}
      {value.files.length === 0 ? <p class="quiet">Nothing was changed.</p> : <Files diff={value} />}
      <Remarks diff={value} />
      {value.files.length === 0 ? null : <DiffView key={`${subtask ?? ''}-${done}`} task={feed.id} subtask={subtask} />}
    </section>
  );
}

function Files({ diff }: { diff: TaskDiff }) {
  return (
    <ul class="files changed">
      {diff.files.map(({ path, state, added, removed, by, sure }) => (
        <li key={path}>
          <code>{path}</code>
          <span class="mono">
            <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
          </span>
          <span class="quiet">
            {state} by {formatList(by)}
            {sure ? '' : ', not for sure'}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Changes that the diff cannot show. */
function Remarks({ diff: { gaps, outside, changedByOthers = [] } }: { diff: TaskDiff }) {
  return (
    <>
      {gaps.map(({ subtask, reason }) => (
        <p class="small is-ask">
          No snapshot{subtask === null ? '' : ` of ${subtask}`}: {reason}
        </p>
      ))}
      {changedByOthers.length === 0 ? null : (
        <p class="small is-ask">Others changed meanwhile: {formatList(changedByOthers.map(({ path }) => path))}</p>
      )}
      {outside.length === 0 ? null : (
        <p class="small quiet">
          Not in the snapshots: {formatList(outside.map(({ path, why }) => `${path} (${why})`))}
        </p>
      )}
    </>
  );
}
