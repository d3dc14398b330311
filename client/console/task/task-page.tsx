import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { hrefOf, hrefWith, query } from '../core/router.ts';
import { watchTask } from '../live/connection.ts';
import { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { formatClock } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { signOf } from '../parts/state.ts';
import { Actions } from './actions.tsx';
import { AttemptsTab } from './attempts-tab.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { NowTab } from './now-tab.tsx';
import { PlanTab } from './plan-tab.tsx';
import { ReportTab } from './report-tab.tsx';

/** Everything about one task. The tab and what is opened in it are in the address. */
export function TaskPage({ task }: { task: string }) {
  const feed = useFeed(task);
  const head = feed.head.value;
  if (head === undefined)
    return (
      <div class="view">
        {feed.problem.value === undefined ? (
          <p class="quiet">Reading the task…</p>
        ) : (
          <>
            <Failure error={feed.problem.value} />
            <button class="button" type="button" onClick={() => void feed.load()}>
              Ask again
            </button>
          </>
        )}
      </div>
    );
  return (
    <div class="view">
      <Head feed={feed} />
      <Sentence feed={feed} />
      <Tabs feed={feed} />
      <Tab feed={feed} />
    </div>
  );
}

function useFeed(task: string): TaskFeed {
  const [feed] = useState(() => new TaskFeed(task));
  useEffect(() => {
    let left = false;
    void feed.load().then(() => {
      if (!left) watchTask(feed);
    });
    return () => {
      left = true;
      watchTask(undefined);
    };
  }, [feed]);
  return feed;
}

function Head({ feed }: { feed: TaskFeed }) {
  const head = feed.head.value;
  if (head === undefined) return null;
  const { goal, project, id, startedAt, endedAt, by, planVersion, host } = head;
  return (
    <div class="task-head">
      <div>
        <h1>{goal}</h1>
        <div class="facts">
          {project === null ? null : <a href={hrefOf.project(project)}>{project}</a>}
          <span class="mono">{id}</span>
          <span>
            started {formatClock(startedAt)}
            {by === undefined || by === null ? '' : ` by ${by}`}
          </span>
          {endedAt === null ? null : <span>ended {formatClock(endedAt)}</span>}
          {planVersion > 1 ? (
            <span>
              plan {planVersion}, changed {planVersion === 2 ? 'once' : `${planVersion - 1} times`}
            </span>
          ) : null}
          {host === null ? null : <span>on {host}</span>}
        </div>
      </div>
      <Actions feed={feed} />
    </div>
  );
}

/** One sentence about where the task is, and the way to answer. */
function Sentence({ feed }: { feed: TaskFeed }) {
  const head = feed.head.value;
  if (head === undefined) return null;
  const [question] = head.decisions;
  const { tone, icon, word } = signOf(question === undefined ? head.state : 'waiting');
  const trouble = feed.trouble.value;
  return (
    <>
      <div class={`sentence is-${tone}`}>
        <Icon name={icon} />
        <span>
          <span class="sr">{word}: </span>
          {head.summary}
        </span>
        {question === undefined ? null : (
          <a class="button" href={hrefOf.decision(head.id, question.id)}>
            {head.decisions.length === 1 ? 'Answer' : `Answer ${head.decisions.length}`}
          </a>
        )}
      </div>
      {trouble === null ? null : (
        <div class="sentence is-fail" role="status">
          <Icon name="no" />
          <span>{trouble.charAt(0).toUpperCase() + trouble.slice(1)}.</span>
        </div>
      )}
      {feed.gaps.value.map(({ from, to, host }) => (
        <div class="sentence is-idle" role="status">
          <Icon name="idle" />
          <span>
            Events {from} to {to} are {host === null ? 'lost' : `kept on ${host}`} and cannot be read from here.
          </span>
        </div>
      ))}
    </>
  );
}

const tabs = [
  ['now', 'Now'],
  ['plan', 'Plan'],
  ['attempts', 'Attempts'],
  ['changes', 'Changes'],
  ['report', 'Report'],
] as const;

type TabName = (typeof tabs)[number][0];

const currentTab = (): TabName => tabs.find(([name]) => name === query.value.get('tab'))?.[0] ?? 'now';

function Tabs({ feed }: { feed: TaskFeed }) {
  const here = currentTab();
  const attempts = feed.subtasks.value.reduce((sum, row) => sum + row.attempts, 0);
  const webUi = feed.head.value?.links?.webUi ?? null;
  return (
    <nav class="tabs" aria-label="Task">
      {tabs.map(([name, label]) => (
        <a
          href={hrefWith({ tab: name === 'now' ? null : name, subtask: null, attempt: null, view: null })}
          aria-current={name === here ? 'page' : undefined}
        >
          {label}
          {name === 'attempts' && attempts > 0 ? ` ${attempts}` : ''}
        </a>
      ))}
      {webUi === null ? null : (
        <a class="last" href={webUi} target="_blank" rel="noreferrer">
          Engine room ↗
        </a>
      )}
    </nav>
  );
}

function Tab({ feed }: { feed: TaskFeed }): ComponentChildren {
  switch (currentTab()) {
    case 'now':
      return <NowTab feed={feed} />;
    case 'plan':
      return <PlanTab feed={feed} />;
    case 'attempts':
      return <AttemptsTab feed={feed} />;
    case 'changes':
      return <ChangesTab feed={feed} />;
    case 'report':
      return <ReportTab feed={feed} />;
  }
}
