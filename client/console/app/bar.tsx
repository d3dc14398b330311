import { inbox } from '../live/board.ts';
import { LiveDot } from '../parts/live-dot.tsx';
import { Brand, Icon, type IconName } from '../parts/icon.tsx';
import { Key } from '../parts/tag.tsx';
import { place } from '../core/router.ts';
import { isSignedIn, mayOperate, person } from '../core/session.ts';

const links: readonly { href: string; name: string; icon: IconName; pages: readonly string[] }[] = [
  { href: '/', name: 'Needs you', icon: 'in', pages: ['inbox', 'decision'] },
  { href: '/tasks', name: 'Tasks', icon: 'list', pages: ['task', 'tasks', 'new', 'failures'] },
  { href: '/projects', name: 'Projects', icon: 'book', pages: ['projects'] },
  { href: '/system', name: 'System', icon: 'gear', pages: ['system'] },
];

export function Bar() {
  const signedIn = isSignedIn.value;
  return (
    <header class="bar">
      <a class="brand" href="/">
        <Brand />
        Heddle
      </a>
      {signedIn ? <Navigation /> : null}
      {signedIn ? <End /> : null}
    </header>
  );
}

function Navigation() {
  const { page } = place.value;
  return (
    <nav class="nav" aria-label="Main">
      {links.map(({ href, name, icon, pages }) => (
        <a href={href} aria-current={pages.includes(page) ? 'page' : undefined}>
          <Icon name={icon} />
          {name}
          {href === '/' ? <Count /> : null}
        </a>
      ))}
    </nav>
  );
}

function Count() {
  const count = inbox.value.length;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span class="count">
        {count}
        <span class="sr">{count === 1 ? ' question' : ' questions'}</span>
      </span>
    </>
  );
}

function End() {
  return (
    <div class="end">
      <LiveDot />
      {mayOperate.value ? (
        <a class="button" href="/new">
          New task <Key name="n" />
        </a>
      ) : null}
      <a class="quiet who" href="/sign-in">
        {person.value?.name} · {person.value?.role}
      </a>
    </div>
  );
}
