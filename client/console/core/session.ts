import { computed, signal } from '@preact/signals';
import { get, send, whenSignedOut } from '../api/call.ts';
import { ApiError } from '../api/api-error.ts';
import type { Me, Role } from '../api/wire.ts';
import { navigate, place } from './router.ts';

/** The person of this page: undefined until the server has answered, null where nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);
export const newerVersion = signal(false);

const rank: Record<Role, number> = { viewer: 0, decider: 1, operator: 2 };

export const person = computed(() => me.value ?? null);
export const isSignedIn = computed(() => person.value !== null);

const mayAs = (role: Role): boolean => person.value !== null && rank[person.value.role] >= rank[role];
export const mayDecide = computed(() => mayAs('decider'));
export const mayOperate = computed(() => mayAs('operator'));

/** Minutes between two looks at the session; they also keep the service of a page in sight awake. */
const lookEveryMs = 60_000;

/** Trades the key or the code of the address for a cookie, then asks who this is. */
export async function openSession(): Promise<void> {
  whenSignedOut(() => {
    if (me.value !== null) me.value = null;
    if (place.value.page !== 'sign-in') goToSignIn();
  });
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [token, code] = [fragment.get('key'), fragment.get('code')];
  if (token !== null || code !== null) {
    history.replaceState(null, '', `${location.pathname}${location.search}`);
    // A key that is not taken any more leads to the sign-in page, unless an older cookie is still good.
    await post204(token === null ? { code: code ?? '' } : { token }).catch(() => undefined);
  }
  await readMe();
  setInterval(() => {
    if (!document.hidden) void readMe();
  }, lookEveryMs);
}

const post204 = async (body: { token: string } | { code: string }): Promise<void> => {
  await send('POST', '/session', { body });
};

export async function signIn(token: string): Promise<void> {
  await post204({ token });
  await readMe();
  navigate(new URLSearchParams(location.search).get('next') ?? '/', { replace: true });
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/session').catch(() => undefined);
  me.value = null;
  navigate('/sign-in', { replace: true });
}

async function readMe(): Promise<void> {
  try {
    const before = person.value;
    const now = await get<Me>('/me');
    if (before !== null && before.version !== now.version) newerVersion.value = true;
    me.value = now;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) me.value = null;
  }
}

function goToSignIn(): void {
  const next = `${location.pathname}${location.search}`;
  navigate(next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`, { replace: true });
}
