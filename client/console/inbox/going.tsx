import { hrefOf } from '../core/router.ts';
import { openTasks } from '../live/board.ts';
import type { TaskRow } from '../api/wire.ts';
import { signOf } from '../parts/state.ts';
import { Icon } from '../parts/icon.tsx';

const mostShown = 8;

/** Tasks that go on without anybody. */
export function Going() {
  const working = openTasks.value.filter(({ waitingOn }) => waitingOn.length === 0);
  if (working.length === 0) return null;
  return (
    <section class="going">
      <h2 class="label">Working without you</h2>
      <ul>
        {working.slice(0, mostShown).map((row) => (
          <GoingRow key={row.id} row={row} />
        ))}
      </ul>
      {working.length > mostShown ? <a href="/tasks?show=open">{working.length - mostShown} more</a> : null}
    </section>
  );
}

function GoingRow({ row }: { row: TaskRow }) {
  const { icon, tone, word } = signOf(row.state);
  return (
    <li>
      <Icon name={icon} tone={tone} />
      <a class="people" href={hrefOf.task(row.id)}>
        {row.goal}
      </a>
      <span>{describeProgress(row) ?? word}</span>
    </li>
  );
}

export function describeProgress({ retrying, done, total }: TaskRow): string | undefined {
  const [first] = retrying ?? [];
  if (first !== undefined) return `${first} tries again`;
  return done === null || total === null ? undefined : `${done} of ${total}`;
}
