import { useState } from 'preact/hooks';
import type { SubtaskRow } from '../api/wire.ts';
import { hrefWith, query } from '../core/router.ts';
import { now } from '../live/clock.ts';
import type { Knot, TaskFeed } from '../live/task-feed.ts';
import { formatClock, formatList, formatSpan, formatUsd } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { memo } from '../parts/memo.ts';
import { signOf } from '../parts/state.ts';

/** Rows that are drawn at first: a plan of thousands is read by its state, not by its rows. */
const mostRows = 2_500;

interface Scale {
  from: number;
  to: number;
}

/** One thread a subtask, a knot an attempt: tries after a failure are seen as such. */
export function Loom({ feed }: { feed: TaskFeed }) {
  const [filter, setFilter] = useState<string>('all');
  const rows = feed.subtasks.value;
  const head = feed.head.value;
  if (head === undefined) return null;
  const ended = head.endedAt;
  const end = ended === null ? now.value : Date.parse(ended);
  const scale = niceScale(Date.parse(head.startedAt), end, ended !== null);
  const fitting = rows.filter((row) => fitsFilter(row, filter));
  const chosen = query.value.get('subtask');
  const done = rows.filter(({ state }) => state === 'completed').length;
  return (
    <section class="panel sheet">
      <h2>
        Subtasks{' '}
        <small>
          {done} of {rows.length} done
        </small>
      </h2>
      {rows.length > 12 ? <Filter rows={rows} value={filter} onChange={setFilter} /> : null}
      {rows.length === 0 ? <p class="quiet">There is no plan yet.</p> : null}
      <div class="loom">
        <span />
        <Axis scale={scale} />
        <span class="axis last" />
        {fitting.slice(0, mostRows).map((row) => (
          <Thread
            key={row.id}
            row={row}
            knots={feed.knots.value.get(row.id)}
            from={scale.from}
            to={scale.to}
            // Only what is still going on moves with the clock.
            end={row.state === 'running' || row.state === 'waiting' ? end : 0}
            chosen={row.id === chosen}
          />
        ))}
      </div>
      {fitting.length > mostRows ? (
        <p class="quiet small">{fitting.length - mostRows} more; choose a state above.</p>
      ) : null}
    </section>
  );
}

const filters: readonly (readonly [string, string, readonly string[]])[] = [
  ['all', 'all', []],
  ['waiting', 'waiting', ['waiting']],
  ['running', 'running', ['running', 'remediating']],
  ['failed', 'failed', ['failed', 'blocked']],
  ['pending', 'not started', ['pending']],
  ['completed', 'done', ['completed', 'skipped']],
];

const fitsFilter = ({ state }: SubtaskRow, filter: string): boolean =>
  filter === 'all' || (filters.find(([name]) => name === filter)?.[2].includes(state) ?? true);

function Filter({
  rows,
  value,
  onChange,
}: {
  rows: readonly SubtaskRow[];
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <div class="chips" role="group" aria-label="Show">
      {filters.map(([name, label]) => {
        const count = rows.filter((row) => fitsFilter(row, name)).length;
        return count === 0 ? null : (
          <button class="chip" type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
            {label} {count}
          </button>
        );
      })}
    </div>
  );
}

/** The axis grows in steps, so that the knots of a long task stay where they are most of the time. */
function niceScale(from: number, to: number, ended: boolean): Scale {
  const length = Math.max(1_000, to - from);
  if (ended) return { from, to: from + length * 1.01 };
  let step = 60_000;
  while (step < length) step *= 1.25;
  return { from, to: from + step };
}

function Axis({ scale: { from, to } }: { scale: Scale }) {
  const marks = [0, 1, 2, 3].map((part) => from + ((to - from) * part) / 4);
  const short = to - from < 240_000;
  return (
    <div class="axis">
      {marks.map((time) => (
        <span>{short ? new Date(time).toTimeString().slice(0, 8) : formatClock(time)}</span>
      ))}
    </div>
  );
}

interface ThreadOf {
  row: SubtaskRow;
  knots: readonly Knot[] | undefined;
  from: number;
  to: number;
  end: number;
  chosen: boolean;
}

const Thread = memo(({ row, knots, from, to, end, chosen }: ThreadOf) => {
  const { icon, tone, word } = signOf(row.state === 'running' && row.attempts > 1 ? 'retrying' : row.state);
  const pick = chosen ? ' pick' : '';
  return (
    <a
      class={`row${pick}`}
      href={hrefWith({ subtask: chosen ? null : row.id, attempt: null })}
      aria-current={chosen ? 'true' : undefined}
    >
      <span class="name">
        <Icon name={icon} tone={tone} />
        <b>{row.id}</b>
      </span>
      <span class="thread">
        {(knots ?? []).map((knot) => (
          <Tie key={knot.attempt} knot={knot} from={from} to={to} end={end} />
        ))}
        {row.state === 'waiting' && row.waitingFor !== null ? (
          <Wait knots={knots ?? []} from={from} to={to} end={end} />
        ) : null}
      </span>
      <span class={`end is-${tone}`}>{describeEnd(row, word)}</span>
    </a>
  );
});

function describeEnd({ state, costUsd, dependsOn, attempts, waitsForWorker }: SubtaskRow, word: string): string {
  if (waitsForWorker !== undefined) return waitsForWorker;
  const cost = costUsd === undefined || costUsd === 0 ? '' : ` · ${formatUsd(costUsd)}`;
  if (state === 'pending') return dependsOn.length === 0 ? 'not started' : `after ${formatList(dependsOn, 2)}`;
  const tries = state === 'running' && attempts > 1 ? `attempt ${attempts}` : word;
  return `${state === 'waiting' ? 'waits' : tries}${cost}`;
}

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

function Tie({ knot, from, to, end }: { knot: Knot; from: number; to: number; end: number }) {
  const { attempt, outcome, startedAt, endedAt, tier, type, judges } = knot;
  const last = endedAt ?? Math.max(end, startedAt);
  const length = to - from;
  const kind = outcome === 'failed' ? 'no' : outcome === 'running' ? 'on' : outcome === 'cancelled' ? 'off' : '';
  const took = formatSpan(last - startedAt);
  return (
    <span
      class={kind}
      title={`attempt ${attempt}, tier ${tier}, ${outcome}${type === null ? '' : ` (${type})`}, ${took}`}
      style={{ left: percent((startedAt - from) / length), width: percent((last - startedAt) / length) }}
    >
      {attempt}
      <span class="sr"> {outcome}</span>
      <i>{type ?? (judges > 1 ? `${judges} judges` : tier > 1 ? `tier ${tier}` : '')}</i>
    </span>
  );
}

/** The time in which it waits for a person, behind its last attempt. */
function Wait({ knots, from, to, end }: { knots: readonly Knot[]; from: number; to: number; end: number }) {
  const last = Math.max(from, ...knots.map(({ endedAt, startedAt }) => endedAt ?? startedAt));
  return (
    <span
      class="q"
      style={{ left: percent((last - from) / (to - from)), width: percent(Math.max(0, end - last) / (to - from)) }}
    >
      your answer
    </span>
  );
}
