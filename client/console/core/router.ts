import { computed, signal } from '@preact/signals';

/** The places of the console. Each has an address, and its state is in the address too. */
export type Place =
  | { page: 'inbox' }
  | { page: 'decision'; task: string; decision: string }
  | { page: 'task'; task: string }
  | { page: 'tasks' }
  | { page: 'new' }
  | { page: 'projects'; project: string | null }
  | { page: 'system' }
  | { page: 'failures' }
  | { page: 'sign-in' }
  | { page: 'nowhere' };

const address = signal({ path: location.pathname, query: location.search });

function parsePlace(path: string): Place {
  const [first = '', second, third, fourth, ...more] = path.split('/').slice(1).map(decode);
  if (more.length > 0) return { page: 'nowhere' };
  if (first === '' && second === undefined) return { page: 'inbox' };
  if (first === 'tasks' && second !== undefined && third === 'decisions' && fourth !== undefined)
    return { page: 'decision', task: second, decision: fourth };
  if (third !== undefined) return { page: 'nowhere' };
  if (first === 'tasks') return second === undefined ? { page: 'tasks' } : { page: 'task', task: second };
  if (first === 'projects') return { page: 'projects', project: second ?? null };
  if (second !== undefined) return { page: 'nowhere' };
  return first === 'new' || first === 'system' || first === 'failures' || first === 'sign-in'
    ? { page: first }
    : { page: 'nowhere' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const place = computed(() => parsePlace(address.value.path));
export const query = computed(() => new URLSearchParams(address.value.query));

const readAddress = (): void => {
  address.value = { path: location.pathname, query: location.search };
};

export function navigate(to: string, { replace = false } = {}): void {
  const before = location.pathname;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  readAddress();
  if (location.pathname !== before) scrollTo(0, 0);
}

/** The address of this place with some of its state changed; null takes a key out. */
export function hrefWith(changes: Record<string, string | null>): string {
  const next = new URLSearchParams(address.value.query);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(key);
    else next.set(key, value);
  }
  const text = next.toString();
  return text === '' ? address.value.path : `${address.value.path}?${text}`;
}

export const hrefOf = {
  task: (task: string): string => `/tasks/${encodeURIComponent(task)}`,
  decision: (task: string, decision: string): string =>
    `/tasks/${encodeURIComponent(task)}/decisions/${encodeURIComponent(decision)}`,
  attempt: (task: string, subtask: string, attempt?: number): string =>
    `/tasks/${encodeURIComponent(task)}?tab=attempts&subtask=${encodeURIComponent(subtask)}${attempt === undefined ? '' : `&attempt=${attempt}`}`,
  project: (project: string): string => `/projects/${encodeURIComponent(project)}`,
};

addEventListener('popstate', readAddress);

/** A press on a link of the console changes the place without loading the page again. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return;
  if (link.pathname.startsWith('/api/') || link.hasAttribute('download')) return;
  event.preventDefault();
  navigate(`${link.pathname}${link.search}`);
});
