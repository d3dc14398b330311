import { useState } from 'preact/hooks';
import { at, get, withQuery } from '../api/call.ts';
import type { Paged, TaskRow } from '../api/wire.ts';
import { hrefOf } from '../core/router.ts';
import { Failure } from '../parts/failure.tsx';
import { formatClock, formatCount, formatList } from '../parts/format.ts';
import { Tag } from '../parts/tag.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

interface Pattern {
  count: number;
  type: string;
  summary: string;
  subtasks: string[];
  fixedBy: { rung: number; strategy: string; guidedBy: string | null; subtasks: string[] }[];
}

interface FailureOfTask extends Pattern {
  task: TaskRow;
  signature: string;
}

interface Loaded {
  failures: FailureOfTask[];
  /** Tasks whose report could not be read. */
  silent: string[];
  tasks: number;
}

/** Tasks whose failures are read, newest first, and how many at once. */
const mostTasks = 20;
const atOnce = 4;

/** Every failure of the newest tasks, those that Heddle fixed by itself too. */
export function FailuresPage() {
  const [only, setOnly] = useState<'all' | 'open' | 'fixed'>('all');
  const { value, error } = useLoaded(readFailures, []);
  const shown =
    value?.failures.filter(({ fixedBy }) => only === 'all' || (only === 'fixed') === fixedBy.length > 0) ?? [];
  return (
    <div class="view">
      <div class="head">
        <h1>Failures</h1>
        <span class="quiet small">
          {value === undefined ? '' : `of the newest ${formatCount(value.tasks, 'task')}`}
        </span>
      </div>
      <div class="chips" role="group" aria-label="Which failures">
        {(['all', 'open', 'fixed'] as const).map((name) => (
          <button class="chip" type="button" aria-pressed={name === only} onClick={() => setOnly(name)}>
            {{ all: 'All', open: 'Not fixed', fixed: 'Recovered' }[name]}
          </button>
        ))}
      </div>
      <Failure error={error} />
      {value === undefined && error === undefined ? <p class="quiet">Reading the reports…</p> : null}
      {value !== undefined && shown.length === 0 ? <p class="quiet nothing">There is none.</p> : null}
      <ul class="rows">
        {shown.map((row) => (
          <Row key={`${row.task.id}/${row.signature}`} row={row} />
        ))}
      </ul>
      {value === undefined || value.silent.length === 0 ? null : (
        <p class="small is-ask">These did not answer: {formatList(value.silent)}.</p>
      )}
    </div>
  );
}

function Row({ row: { task, summary, type, count, subtasks, fixedBy } }: { row: FailureOfTask }) {
  const [fix] = fixedBy;
  const [first = ''] = subtasks;
  return (
    <li class="task-row">
      <a class="goal" href={hrefOf.attempt(task.id, first)}>
        {summary}
      </a>
      {fix === undefined ? (
        <Tag tone="fail" icon="no">
          not fixed
        </Tag>
      ) : (
        <Tag tone="done" icon="ok">
          {fix.guidedBy === null ? `fixed at rung ${fix.rung}` : `fixed with ${fix.guidedBy}`}
        </Tag>
      )}
      <span class="facts">
        <span>{type}</span>
        <span>{formatCount(count, 'time')}</span>
        <span>{formatList(subtasks)}</span>
        <a class="people" href={hrefOf.task(task.id)}>
          {task.goal}
        </a>
      </span>
      <time class="quiet small" dateTime={task.startedAt}>
        {formatClock(task.startedAt)}
      </time>
    </li>
  );
}

async function readFailures(signal: AbortSignal): Promise<Loaded> {
  const { items } = await get<Paged<TaskRow>>(withQuery('/tasks', { limit: mostTasks }), signal);
  const failures: FailureOfTask[] = [];
  const silent: string[] = [];
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const one = task;
      await get<{ failuresBySignature: Record<string, Pattern> }>(`/tasks${at(one.id)}/report`, signal).then(
        ({ failuresBySignature }) => {
          for (const [signature, pattern] of Object.entries(failuresBySignature))
            failures.push({ ...pattern, task: one, signature });
        },
        () => void silent.push(one.id),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  failures.sort((a, b) => Date.parse(b.task.startedAt) - Date.parse(a.task.startedAt));
  return { failures, silent, tasks: items.length };
}
