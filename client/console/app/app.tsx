import { useEffect } from 'preact/hooks';
import { DecisionPlace } from '../inbox/inbox-page.tsx';
import { inbox } from '../live/board.ts';
import { FailuresPage } from '../failures/failures-page.tsx';
import { NewTask } from '../start/new-task.tsx';
import { ProjectsPage } from '../projects/projects-page.tsx';
import { SystemPage } from '../system/system-page.tsx';
import { TaskPage } from '../task/task-page.tsx';
import { TasksPage } from '../tasks/tasks-page.tsx';
import { announcement, toast } from '../core/announce.ts';
import { Bar } from './bar.tsx';
import { KeyHelp, useMainKeys } from './key-help.tsx';
import { followNotifications } from './notify.ts';
import { place } from '../core/router.ts';
import { isSignedIn, me } from '../core/session.ts';
import { SignIn } from './sign-in.tsx';
import { Notices } from './notices.tsx';

export function App() {
  useMainKeys();
  useEffect(followNotifications, []);
  useTitle();
  const signedIn = isSignedIn.value;
  return (
    <>
      <a class="sr skip" href="#main">
        Skip to the content
      </a>
      <Bar />
      <Notices />
      <main id="main" tabIndex={-1}>
        {place.value.page === 'sign-in' ? <SignIn /> : signedIn ? <Page /> : <Waiting />}
      </main>
      <KeyHelp />
      <div class="sr" role="status" aria-live="polite">
        {announcement.value}
      </div>
      {toast.value === null ? null : <div class={`toast is-${toast.value.tone}`}>{toast.value.text}</div>}
    </>
  );
}

function Waiting() {
  return <div class="view quiet">{me.value === undefined ? 'Asking Heddle…' : 'Nobody is signed in.'}</div>;
}

function Page() {
  const here = place.value;
  switch (here.page) {
    case 'inbox':
      return <DecisionPlace task={null} decision={null} />;
    case 'decision':
      return <DecisionPlace task={here.task} decision={here.decision} />;
    case 'task':
      return <TaskPage key={here.task} task={here.task} />;
    case 'tasks':
      return <TasksPage />;
    case 'new':
      return <NewTask />;
    case 'projects':
      return <ProjectsPage key={here.project} project={here.project} />;
    case 'system':
      return <SystemPage />;
    case 'failures':
      return <FailuresPage />;
    case 'sign-in':
    case 'nowhere':
      return (
        <div class="view">
          <h1 class="page-title">There is nothing at this address</h1>
          <p>
            <a href="/">What needs you</a>
          </p>
        </div>
      );
  }
}

/** The count of open questions is in the title, where a tab shows it. */
function useTitle(): void {
  const count = inbox.value.length;
  const { page } = place.value;
  useEffect(() => {
    const name = { inbox: 'Needs you', decision: 'Needs you', task: 'Task', tasks: 'Tasks', new: 'New task' }[
      page as string
    ];
    document.title = `${count === 0 ? '' : `(${count}) `}${name === undefined ? '' : `${name} · `}Heddle`;
  }, [count, page]);
}
