import { useState } from 'preact/hooks';
import { get } from '../api/call.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

interface Check {
  name: string;
  ok: boolean;
  ['found']: string;
  hint?: string;
}

/** The checks of `heddle doctor`, when somebody asks for them: they start programs. */
export function Doctor() {
  const [asked, setAsked] = useState(false);
  return (
    <section class="panel sheet">
      <h2>
        Doctor{' '}
        {asked ? null : (
          <small>
            <button class="button plain" type="button" onClick={() => setAsked(true)}>
              Check this machine
            </button>
          </small>
        )}
      </h2>
      {asked ? <Findings /> : <p class="quiet small">Looks at the server, the worker, the sandbox and the disk.</p>}
    </section>
  );
}

function Findings() {
  const { value, error } = useLoaded((signal) => get<{ checks: Check[] }>('/doctor', signal), []);
  if (error !== undefined) return <Failure error={error} />;
  if (value === undefined) return <p class="quiet">Checking…</p>;
  return (
    <ul class="checks">
      {value.checks.map(({ name, ok, found, hint }) => (
        <li key={name}>
          <Icon name={ok ? 'ok' : 'no'} tone={ok ? 'done' : 'fail'} />
          <span>
            {name}: {found}
            {hint === undefined ? null : <span class="hint"> {hint}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
