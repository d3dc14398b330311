import { at, get, withQuery } from '../api/call.ts';
import type { AttemptView, Paged } from '../api/wire.ts';
import { hrefWith, query } from '../core/router.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { AttemptDetail } from './attempt-detail.tsx';

/** The attempts of one subtask; the newest is open, or the one of the address. */
export function AttemptPanel({ feed, subtask }: { feed: TaskFeed; subtask: string }) {
  // It is read again whenever an attempt begins or ends.
  const knots = feed.knots.value.get(subtask);
  const mark = knots?.map(({ attempt, outcome }) => `${attempt}${outcome}`).join() ?? '';
  const { value, error } = useLoaded((signal) => readAll(feed.id, subtask, signal), [subtask, mark]);
  const number = Number(query.value.get('attempt') ?? Number.NaN);
  if (value === undefined)
    return (
      <section class="panel sheet">
        {error === undefined ? <p class="quiet">Reading the attempts…</p> : <Failure error={error} />}
      </section>
    );
  const shown = value.find(({ attempt }) => attempt === number) ?? value.at(-1);
  return (
    <section class="panel sheet">
      {shown === undefined ? (
        <>
          <h2>{subtask}</h2>
          <p class="quiet">It has not started.</p>
        </>
      ) : (
        <>
          <Choose attempts={value} shown={shown} />
          <AttemptDetail key={`${shown.attempt}`} task={feed.id} attempt={shown} />
        </>
      )}
    </section>
  );
}

async function readAll(task: string, subtask: string, signal: AbortSignal): Promise<AttemptView[]> {
  const { items } = await get<Paged<AttemptView>>(
    withQuery(`/tasks${at(task)}/attempts`, { subtask, limit: 1000 }),
    signal,
  );
  return items;
}

const signs = { failed: '✕', running: '●', cancelled: '–', passed: '✓' } as const;

function Choose({ attempts, shown }: { attempts: readonly AttemptView[]; shown: AttemptView }) {
  if (attempts.length < 2) return null;
  return (
    <nav class="chips" aria-label={`Attempts of ${shown.subtask}`}>
      {attempts.map(({ attempt, outcome }) => (
        <a
          class="chip"
          href={hrefWith({ attempt: String(attempt) })}
          aria-current={attempt === shown.attempt ? 'true' : undefined}
        >
          <span aria-hidden="true">{signs[outcome]}</span> {attempt}
          <span class="sr"> {outcome}</span>
        </a>
      ))}
    </nav>
  );
}
