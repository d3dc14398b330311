import { useEffect, useState } from 'preact/hooks';
import type { LoggedEvent } from '../api/wire.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { query } from '../core/router.ts';
import { formatClock } from '../parts/format.ts';
import { LiveDot } from '../parts/live-dot.tsx';
import { Meters } from '../parts/meters.tsx';
import { AttemptPanel } from './attempt-panel.tsx';
import { Loom } from './loom.tsx';

export function NowTab({ feed }: { feed: TaskFeed }) {
  const subtask = query.value.get('subtask');
  return (
    <div class="two">
      <div>
        <Loom feed={feed} />
        {subtask === null ? null : <AttemptPanel key={subtask} feed={feed} subtask={subtask} />}
      </div>
      <div>
        <Happening feed={feed} />
        <section class="panel sheet">
          <h2>Budget</h2>
          <Meters budget={feed.head.value?.budget ?? {}} />
        </section>
      </div>
    </div>
  );
}

/** Events that are shown at once; more on request. */
const shownAtFirst = 40;

/** The events of a task, newest first, below the lines of what runs now. */
function Happening({ feed }: { feed: TaskFeed }) {
  const [shown, setShown] = useState(shownAtFirst);
  const ended = feed.isEnded.value;
  const events = feed.events.value;
  const newest = events.slice(-shown).toReversed();
  useEffect(() => setShown(shownAtFirst), [feed]);
  return (
    <section class="panel sheet">
      <h2>
        Now <small>{ended ? 'ended' : <LiveDot />}</small>
      </h2>
      <ol class="feed">
        {ended
          ? null
          : feed.activity.value.map(({ subtask, attempt, line }) => (
              <li class="now" key={`${subtask}-${attempt}`}>
                <time>{subtask ?? 'planner'}</time>
                <code>{line}</code>
              </li>
            ))}
        {newest.map((event) => (
          <li key={event.id}>
            <time dateTime={event.time}>{formatClock(event.time)}</time>
            <span class={toneOf(event)}>{event.text}</span>
          </li>
        ))}
      </ol>
      {events.length > shown ? (
        <button class="button plain" type="button" onClick={() => setShown(shown + 100)}>
          Show older
        </button>
      ) : null}
    </section>
  );
}

function toneOf({ type }: LoggedEvent): string | undefined {
  if (type === 'decision.opened' || type === 'task.paused' || type.startsWith('budget.')) return 'is-ask';
  if (type === 'subtask.completed') return 'is-done';
  return type === 'subtask.failed' || type === 'task.stalled' ? 'is-fail' : undefined;
}
