import { hrefWith, query } from '../core/router.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { signOf } from '../parts/state.ts';
import { AttemptPanel } from './attempt-panel.tsx';

export function AttemptsTab({ feed }: { feed: TaskFeed }) {
  const rows = feed.subtasks.value.filter(({ attempts }) => attempts > 0);
  const chosen = query.value.get('subtask') ?? rows[0]?.id;
  if (chosen === undefined) return <p class="quiet">Nothing has been tried yet.</p>;
  return (
    <div class="beside">
      <nav class="picker sheet" aria-label="Subtasks with attempts">
        {rows.map(({ id, state, attempts }) => {
          const { icon, tone, word } = signOf(state);
          return (
            <a
              key={id}
              href={hrefWith({ subtask: id, attempt: null })}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <Icon name={icon} tone={tone} />
              <b>{id}</b>
              <span class="quiet small">
                <span class="sr">{word}, </span>
                {formatCount(attempts, 'attempt')}
              </span>
            </a>
          );
        })}
      </nav>
      <div>
        <AttemptPanel key={chosen} feed={feed} subtask={chosen} />
      </div>
    </div>
  );
}
