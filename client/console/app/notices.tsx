import { link } from '../live/connection.ts';
import { silentTasks } from '../live/board.ts';
import { formatCount, formatList } from '../parts/format.ts';
import { isSignedIn, newerVersion } from '../core/session.ts';

/** Troubles of the page as a whole: no server, tasks that do not answer, another version. */
export function Notices() {
  if (!isSignedIn.value) return link.value === 'lost' ? <Lost /> : null;
  const silent = silentTasks.value;
  return (
    <>
      {link.value === 'lost' ? <Lost /> : null}
      {silent.length > 0 ? (
        <div class="notice is-ask" role="status">
          {formatCount(silent.length, 'task')} did not answer, so their questions are missing here:{' '}
          {formatList(silent.map(({ taskId }) => taskId))}. {silent[0]?.problem.message}
        </div>
      ) : null}
      {newerVersion.value ? (
        <div class="notice is-run" role="status">
          Heddle was updated.{' '}
          <button class="button" type="button" onClick={() => location.reload()}>
            Load the new console
          </button>
        </div>
      ) : null}
    </>
  );
}

function Lost() {
  return (
    <div class="notice is-fail" role="status">
      Heddle does not answer; what you see may be old. The page asks again every 5 s. <code>heddle open</code> wakes it.
    </div>
  );
}
