import { effect, signal } from '@preact/signals';
import { boardReady, inbox, keyOf } from '../live/board.ts';
import type { InboxItem } from '../api/wire.ts';
import { formatCount } from '../parts/format.ts';
import { announce } from '../core/announce.ts';
import { hrefOf, navigate } from '../core/router.ts';
import { storedSwitch } from '../core/stored.ts';

/** The person's own switch; the browser's permission is asked for by it, never before. */
const wants = storedSwitch('heddle-notify', false);
const permission = signal('Notification' in window ? Notification.permission : 'denied');

export const canNotify = (): boolean => 'Notification' in window && window.isSecureContext;
export const notificationsOn = {
  get value(): boolean {
    return wants.value && permission.value === 'granted';
  },
};

export async function switchNotifications(): Promise<void> {
  if (notificationsOn.value) {
    wants.value = false;
    return;
  }
  permission.value = await Notification.requestPermission();
  wants.value = permission.value === 'granted';
}

/** More questions than this in the time below are told as one. */
const mostSingle = 3;
const bundleMs = 10_000;

/** One tab of the browser notifies: the tab that holds this lock. */
const isNotifier = signal(false);

let seen: Set<string> | undefined;
let recent: number[] = [];

/** Tells of each new question once: by the live region in every tab, by a notification in one of them. */
export function followNotifications(): void {
  holdLock();
  effect(() => {
    if (!boardReady.value) return;
    const items = inbox.value;
    const before = seen;
    seen = new Set(items.map(keyOf));
    if (before === undefined) return;
    const fresh = items.filter((item) => !before.has(keyOf(item)));
    if (fresh.length === 0) return;
    announce(fresh.length === 1 ? `New question: ${fresh[0]?.problem ?? ''}` : `${fresh.length} new questions`);
    if (notificationsOn.value && isNotifier.peek()) notify(fresh);
  });
}

function holdLock(): void {
  const locks = 'locks' in navigator ? (navigator.locks as LockManager | undefined) : undefined;
  void locks?.request('heddle-notify', () => {
    isNotifier.value = true;
    // The lock is held until the tab is closed.
    return new Promise<void>(() => undefined);
  });
}

function notify(items: readonly InboxItem[]): void {
  const now = Date.now();
  recent = [...recent.filter((time) => now - time < bundleMs), ...items.map(() => now)];
  if (recent.length > mostSingle) {
    show(`${formatCount(inbox.peek().length, 'question')} need you`, 'Heddle', '/', 'heddle-many');
    return;
  }
  for (const item of items) show(item.problem, item.goal, hrefOf.decision(item.taskId, item.id), keyOf(item));
}

function show(title: string, body: string, href: string, tag: string): void {
  const notification = new Notification(title, { body, tag });
  notification.addEventListener('click', () => {
    window.focus();
    navigate(href);
    notification.close();
  });
}
