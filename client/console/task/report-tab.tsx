import { at, getText } from '../api/call.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { Prose } from '../parts/prose.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** The report as it would be printed now. */
export function ReportTab({ feed }: { feed: TaskFeed }) {
  const state = feed.head.value?.state;
  const path = `/tasks${at(feed.id)}/report`;
  const { value, error, reload } = useLoaded(() => getText(path, 'text/markdown'), [state]);
  return (
    <section class="panel sheet">
      <h2>
        Report{' '}
        <small>
          <a href={`/api/v1${path}`} target="_blank" rel="noreferrer">
            as a page
          </a>
          {feed.isEnded.value ? null : (
            <button class="button plain" type="button" onClick={reload}>
              Read again
            </button>
          )}
        </small>
      </h2>
      <Failure error={error} />
      {value === undefined ? (
        error === undefined ? (
          <p class="quiet">Making the report…</p>
        ) : null
      ) : (
        <Prose text={value} />
      )}
    </section>
  );
}
