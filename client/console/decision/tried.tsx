import type { AttemptView, Card, Paged } from '../api/wire.ts';
import { at, get, withQuery } from '../api/call.ts';
import { hrefOf } from '../core/router.ts';
import { formatSpan } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** The attempts behind a question, each with its reason; the sentences of the question where they cannot be read. */
export function Tried({ card }: { card: Card }) {
  const { taskId, subtask, tried } = card;
  const { value } = useLoaded((signal) => readAttempts(taskId, subtask, signal), [taskId, subtask]);
  if (tried.length === 0 || subtask === null) return null;
  const failed = value?.filter(({ outcome }) => outcome === 'failed');
  return (
    <div>
      <div class="label">
        What was tried <a href={hrefOf.attempt(taskId, subtask)}>All attempts</a>
      </div>
      <ol class="tries">
        {failed === undefined || failed.length === 0
          ? tried.map((text) => (
              <li class="is-plain">
                <Knot />
                <span>{text}</span>
              </li>
            ))
          : failed.map((attempt) => <Try key={attempt.attempt} attempt={attempt} task={taskId} />)}
      </ol>
    </div>
  );
}

async function readAttempts(task: string, subtask: string | null, signal: AbortSignal): Promise<AttemptView[]> {
  if (subtask === null) return [];
  const { items } = await get<Paged<AttemptView>>(
    withQuery(`/tasks${at(task)}/attempts`, { subtask, limit: 100 }),
    signal,
  );
  return items;
}

const Knot = () => (
  <span class="knot">
    <Icon name="no" />
    <span class="sr">failed</span>
  </span>
);

function Try({ attempt, task }: { attempt: AttemptView; task: string }) {
  const { attempt: number, tier, startedAt, endedAt, summary, rootCause } = attempt;
  const took = endedAt === null ? '' : `, ${formatSpan(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return (
    <li>
      <Knot />
      <span>
        {number} · tier {tier}
        {took}
      </span>
      <span>{summary || rootCause}</span>
      <a href={hrefOf.attempt(task, attempt.subtask, number)}>
        raw<span class="sr"> output of attempt {number}</span>
      </a>
    </li>
  );
}
