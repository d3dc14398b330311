import type { Card, TaskView } from '../api/wire.ts';
import { at, get } from '../api/call.ts';
import { formatUsd } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Meters } from '../parts/meters.tsx';

/** The use of the limit so far, and what would be left undone. */
export function Budget({ card }: { card: Card }) {
  const { value } = useLoaded((signal) => get<TaskView>(`/tasks${at(card.taskId)}`, signal), [card.taskId]);
  if (value === undefined) return null;
  const { subtasks, budget } = value;
  const done = subtasks.filter(({ state }) => state === 'completed').length;
  const skips = card.options.find(({ id }) => id === 'finish')?.affects?.skips.length;
  const spenders = subtasks
    .filter(({ costUsd = 0 }) => costUsd > 0)
    .toSorted((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0))
    .slice(0, 5);
  return (
    <div>
      <div class="label">Where it went</div>
      <p>
        {done} of {subtasks.length} subtasks are done
        {skips === undefined || skips === 0 ? '.' : `; ${skips} would be skipped if it finished now.`}
      </p>
      {spenders.length === 0 ? null : (
        <p class="small quiet">
          Spent by {spenders.map(({ id, costUsd = 0 }) => `${id} ${formatUsd(costUsd)}`).join(', ')} USD.
        </p>
      )}
      <Meters budget={budget} />
    </div>
  );
}
