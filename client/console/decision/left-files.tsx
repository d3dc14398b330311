import type { Card } from '../api/wire.ts';
import { hrefOf } from '../core/router.ts';

const mostShown = 12;

/** Files that failed attempts left changed. */
export function LeftFiles({ card }: { card: Card }) {
  if (!('files' in card) || card.files.length === 0) return null;
  const changed = card.files.filter(({ state }) => state !== 'unchanged');
  return (
    <div>
      <div class="label">
        Left half-done <a href={`${hrefOf.task(card.taskId)}?tab=changes`}>Show the changes</a>
      </div>
      <ul class="files">
        {changed.slice(0, mostShown).map(({ path, state, lines }) => (
          <li key={path}>
            <code>{path}</code>
            <span class="quiet">
              {state}
              {state === 'deleted' || state === 'missing' ? '' : `, ${lines} lines`}
            </span>
          </li>
        ))}
        {changed.length > mostShown ? <li class="quiet">and {changed.length - mostShown} more</li> : null}
      </ul>
    </div>
  );
}
