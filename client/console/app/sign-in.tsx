import { useState } from 'preact/hooks';
import { formatClock } from '../parts/format.ts';
import { Failure } from '../parts/failure.tsx';
import { keysOn } from '../core/keys.ts';
import { isSignedIn, person, signIn, signOut } from '../core/session.ts';
import { canNotify, notificationsOn, switchNotifications } from './notify.ts';

export function SignIn() {
  return (
    <div class="view narrow-view">
      {isSignedIn.value ? <Person /> : <Form />}
      <p class="small quiet">
        On this machine, <code>heddle open</code> opens this page signed in. Others get a token by{' '}
        <code>heddle auth token add NAME --role decider</code>.
      </p>
    </div>
  );
}

function Form() {
  const [token, setToken] = useState('');
  const [error, setError] = useState<unknown>();
  const [sending, setSending] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    await signIn(token.trim()).catch(setError);
    setSending(false);
  };
  return (
    <form class="sheet card" onSubmit={(event) => void submit(event)}>
      <header>
        <h1>Sign in</h1>
        {window.isSecureContext ? null : (
          <p class="is-fail">
            This address is plain http on another machine: the browser keeps no session here. Use its https address.
          </p>
        )}
      </header>
      <div class="body">
        <label class="stack">
          <span class="label">Your token</span>
          <input
            class="field mono"
            type="password"
            autocomplete="current-password"
            placeholder="hdl_…"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <Failure error={error} />
      </div>
      <footer>
        <button class="button first" type="submit" disabled={sending || token.trim() === ''}>
          {sending ? 'Signing in…' : 'Sign in'}
        </button>
      </footer>
    </form>
  );
}

/** The person who is signed in, and the switches of this browser. */
function Person() {
  const who = person.value;
  if (who === null) return null;
  return (
    <section class="sheet card">
      <header>
        <h1>{who.name}</h1>
        <div class="facts">
          <span>{who.role}</span>
          <span>{who.expiresAt === null ? 'no expiry' : `until ${formatClock(who.expiresAt)}`}</span>
          <span>Heddle {who.version}</span>
        </div>
      </header>
      <div class="body">
        <label class="check">
          <input type="checkbox" checked={keysOn.value} onChange={() => (keysOn.value = !keysOn.value)} />
          single keys (press ? for the list)
        </label>
        {canNotify() ? (
          <label class="check">
            <input type="checkbox" checked={notificationsOn.value} onChange={() => void switchNotifications()} />
            desktop notifications for new questions
          </label>
        ) : null}
      </div>
      <footer>
        <button class="button stop" type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </footer>
    </section>
  );
}
