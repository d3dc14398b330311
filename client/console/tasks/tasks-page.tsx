import { useEffect, useState } from 'preact/hooks';
import { get, withQuery } from '../api/call.ts';
import type { Paged, TaskRow } from '../api/wire.ts';
import { hrefOf, hrefWith, navigate, query } from '../core/router.ts';
import { mayOperate } from '../core/session.ts';
import { taskRows } from '../live/board.ts';
import { now } from '../live/clock.ts';
import { Failure } from '../parts/failure.tsx';
import { formatAgo, formatCount, formatList, formatUsd } from '../parts/format.ts';
import { StateTag, Tag } from '../parts/tag.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

const filters = {
  all: { label: 'All', query: {} },
  waiting: { label: 'Waiting', query: { waiting: 'true' } },
  open: { label: 'Running', query: { state: 'open' } },
  trouble: { label: 'In trouble', query: { trouble: 'true' } },
  failed: { label: 'Failed', query: { state: 'failed' } },
} as const;

type FilterName = keyof typeof filters;
const names = Object.keys(filters) as FilterName[];

const currentFilter = (): FilterName => names.find((name) => name === query.value.get('show')) ?? 'all';

export function TasksPage() {
  const filter = currentFilter();
  const project = query.value.get('project') ?? '';
  const text = query.value.get('text') ?? '';
  return (
    <div class="view">
      <div class="head">
        <h1>Tasks</h1>
        <a class="quiet small" href="/failures">
          All failures
        </a>
        {mayOperate.value ? (
          <a class="button only-narrow" href="/new">
            New task
          </a>
        ) : null}
      </div>
      <div class="filters">
        <nav class="chips" aria-label="Which tasks">
          {names.map((name) => (
            <a
              class="chip"
              href={hrefWith({ show: name === 'all' ? null : name })}
              aria-current={name === filter ? 'page' : undefined}
            >
              {filters[name].label}
            </a>
          ))}
        </nav>
        <Search text={text} />
        {project === '' ? null : (
          <a class="chip" href={hrefWith({ project: null })} aria-label={`All projects, not only ${project}`}>
            {project} ✕
          </a>
        )}
      </div>
      <List key={`${filter}/${project}/${text}`} filter={filter} project={project} text={text} />
    </div>
  );
}

const pauseMs = 300;

function Search({ text }: { text: string }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => navigate(hrefWith({ text: typed }), { replace: true }), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      class="field search"
      type="search"
      placeholder="Goal or id"
      aria-label="Search by goal or id"
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function List({ filter, project, text }: { filter: FilterName; project: string; text: string }) {
  const [more, setMore] = useState<Paged<TaskRow>>();
  const path = (cursor: string | number | null): string =>
    withQuery('/tasks', { ...filters[filter].query, project, text, limit: 50, cursor });
  const { value, error, reload } = useLoaded((signal) => get<Paged<TaskRow>>(path(null), signal), []);
  useFreshness(reload);
  const [problem, setProblem] = useState<unknown>();
  const live = taskRows.value;
  const items = [...(value?.items ?? []), ...(more?.items ?? [])];
  const next = more === undefined ? (value?.next ?? null) : more.next;
  const readMore = (): void => {
    get<Paged<TaskRow>>(path(next)).then(
      (page) => setMore({ items: [...(more?.items ?? []), ...page.items], next: page.next }),
      setProblem,
    );
  };
  if (value === undefined)
    return error === undefined ? <p class="quiet">Reading the tasks…</p> : <Failure error={error} />;
  const isWhole = filter === 'all' && project === '' && text === '';
  if (items.length === 0)
    return <p class="quiet nothing">{isWhole ? 'There is no task yet.' : 'No task is like this.'}</p>;
  return (
    <>
      <ul class="rows">
        {items.map((row) => (
          <Row key={row.id} row={live.get(row.id) ?? row} />
        ))}
      </ul>
      <Failure error={problem ?? error} />
      {next === null ? null : (
        <button class="button" type="button" onClick={readMore}>
          Older tasks
        </button>
      )}
    </>
  );
}

/** The list is read again when a task appears or ends; the rows themselves are live. */
function useFreshness(reload: () => void): void {
  const marks = [...taskRows.value.values()].map(({ id, endedAt }) => `${id}${endedAt ?? ''}`).join();
  const [first] = useState(marks);
  useEffect(() => {
    if (marks !== first) reload();
  }, [marks]);
}

function Row({ row }: { row: TaskRow }) {
  const { id, goal, project, state, startedAt, endedAt, summary, done, total, retrying, costUsd, by } = row;
  return (
    <li class="task-row">
      <a class="people goal" href={hrefOf.task(id)}>
        {goal === '' ? id : goal}
      </a>
      <StateTag state={state} />
      <span class="facts">
        {summary === null ? null : <span>{summary}</span>}
        {retrying !== null && retrying.length > 0 ? (
          <Tag tone="run" icon="soon">
            {formatList(retrying, 3)} again
          </Tag>
        ) : null}
        {done === null || total === null ? null : (
          <span>
            {done} of {formatCount(total, 'subtask')}
          </span>
        )}
        {project === null ? null : <a href={hrefOf.project(project)}>{project}</a>}
        {by === null ? null : <span>by {by}</span>}
        {costUsd === null || costUsd === 0 ? null : <span>{formatUsd(costUsd)} USD</span>}
      </span>
      <time class="quiet small" dateTime={startedAt}>
        {endedAt === null
          ? `since ${formatAgo(startedAt, now.value)}`.replace('since now', 'just started')
          : `${formatAgo(endedAt, now.value)} ago`.replace('now ago', 'just now')}
      </time>
    </li>
  );
}
