import { useState } from 'preact/hooks';
import { get, post } from '../api/call.ts';
import { mayOperate, person } from '../core/session.ts';
import { now } from '../live/clock.ts';
import { Failure } from '../parts/failure.tsx';
import { formatAgo, formatBytes, formatClock, formatCount, formatSpan } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Doctor } from './doctor.tsx';

interface System {
  version: string;
  node: string;
  startedAt: string;
  temporal: { address: string; namespace: string; version: string | null; webUi: string | null; ok: boolean };
  home: { freeBytes: number | null };
  workers: { host: string; queue: string; lastSeenAt: string }[];
}

interface Slo {
  tasks: Record<string, number>;
  oldestQuestionMs: number | null;
  requests: { p95Ms: number | null; aimMs: number };
  events: { lagP95Ms: number | null; aimMs: number };
  streams: number;
}

/** A worker that was not seen for longer is shown as away. */
const awayMs = 60_000;

export function SystemPage() {
  const system = useLoaded((signal) => get<System>('/system', signal), [Math.floor(now.value / 15_000)]);
  const slo = useLoaded((signal) => get<Slo>('/slo', signal), [Math.floor(now.value / 15_000)]);
  return (
    <div class="view">
      <div class="head">
        <h1>System</h1>
        <a class="quiet small" href="/sign-in">
          {person.value?.name} · {person.value?.role}
        </a>
      </div>
      <Failure error={system.error ?? slo.error} />
      <div class="two even">
        <div>
          {system.value === undefined ? null : <Service system={system.value} />}
          {system.value === undefined ? null : <Workers workers={system.value.workers} />}
        </div>
        <div>
          {slo.value === undefined ? null : <Numbers slo={slo.value} />}
          <ModelList />
        </div>
      </div>
      {mayOperate.value ? <Doctor /> : null}
    </div>
  );
}

function Service({ system }: { system: System }) {
  const { version, node, startedAt, temporal, home } = system;
  return (
    <section class="panel sheet">
      <h2>Heddle {version}</h2>
      <dl class="definition">
        <dt>running since</dt>
        <dd>{formatClock(startedAt)}</dd>
        <dt>Engine room</dt>
        <dd>
          <Icon name={temporal.ok ? 'ok' : 'no'} tone={temporal.ok ? 'done' : 'fail'} />{' '}
          {temporal.ok ? 'answers' : 'does not answer'}, <code>{temporal.address}</code>, {temporal.namespace}
          {temporal.version === null ? '' : `, ${temporal.version}`}
          {temporal.webUi === null ? null : (
            <>
              {' '}
              <a href={temporal.webUi} target="_blank" rel="noreferrer">
                open ↗
              </a>
            </>
          )}
        </dd>
        <dt>Node.js</dt>
        <dd>{node}</dd>
        {home.freeBytes === null ? null : (
          <>
            <dt>free space</dt>
            <dd>{formatBytes(home.freeBytes)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Workers({ workers }: { workers: System['workers'] }) {
  return (
    <section class="panel sheet">
      <h2>
        Workers <small>{formatCount(workers.length, 'place')}</small>
      </h2>
      {workers.length === 0 ? <p class="is-fail">No worker answers: tasks wait until one does.</p> : null}
      <ul class="checks">
        {workers.map(({ host, queue, lastSeenAt }) => {
          const away = now.value - Date.parse(lastSeenAt) > awayMs;
          return (
            <li>
              <Icon name={away ? 'no' : 'ok'} tone={away ? 'fail' : 'done'} />
              <span>
                {host} <span class="quiet small">{queue}, </span>
                <span class="quiet small">{away ? `away for ${formatAgo(lastSeenAt, now.value)}` : 'here'}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Numbers({ slo }: { slo: Slo }) {
  const { tasks, oldestQuestionMs, requests, events, streams } = slo;
  return (
    <section class="panel sheet">
      <h2>
        Numbers <small>last 5 minutes</small>
      </h2>
      <dl class="definition">
        <dt>tasks</dt>
        <dd>
          {Object.entries(tasks)
            .filter(([, count]) => count > 0)
            .map(([state, count]) => `${count} ${state}`)
            .join(', ') || 'none'}
        </dd>
        <dt>oldest question</dt>
        <dd>{oldestQuestionMs === null ? 'none' : formatSpan(oldestQuestionMs)}</dd>
        <dt>requests, p95</dt>
        <dd>
          <Aim value={requests.p95Ms} aim={requests.aimMs} />
        </dd>
        <dt>events, lag p95</dt>
        <dd>
          <Aim value={events.lagP95Ms} aim={events.aimMs} />
        </dd>
        <dt>streams</dt>
        <dd>{streams}</dd>
      </dl>
    </section>
  );
}

function Aim({ value, aim }: { value: number | null; aim: number }) {
  if (value === null) return <span class="quiet">nothing measured (aim {aim} ms)</span>;
  return (
    <span class={value > aim ? 'is-ask' : ''}>
      {Math.round(value)} ms <span class="quiet">aim {aim} ms</span>
    </span>
  );
}

interface ModelRow {
  name: string;
  provider: string;
  id: string;
  tier: number;
  ok?: boolean;
  latencyMs?: number;
  error?: string;
}

function ModelList() {
  const { value, error } = useLoaded((signal) => get<{ models: ModelRow[] }>('/models', signal), []);
  const [checked, setChecked] = useState<{ models: ModelRow[] }>();
  const [state, setState] = useState<{ busy: boolean; problem: unknown }>({ busy: false, problem: undefined });
  const check = (): void => {
    setState({ busy: true, problem: undefined });
    post<{ models: ModelRow[] }>('/models/check', {}).then(
      (answer) => {
        setChecked(answer);
        setState({ busy: false, problem: undefined });
      },
      (problem: unknown) => setState({ busy: false, problem }),
    );
  };
  const models = checked?.models ?? value?.models ?? [];
  return (
    <section class="panel sheet">
      <h2>
        Models{' '}
        {mayOperate.value && models.length > 0 ? (
          <small>
            <button class="button plain" type="button" disabled={state.busy} onClick={check}>
              {state.busy ? 'Asking each…' : 'Check: one request each'}
            </button>
          </small>
        ) : null}
      </h2>
      <Failure error={state.problem ?? error} />
      {value !== undefined && models.length === 0 ? (
        <p class="quiet">No model is set up: agents and goals need one.</p>
      ) : null}
      <ul class="checks">
        {models.map(({ name, provider, id, tier, ok, latencyMs, error: reason }) => (
          <li key={name}>
            <Icon
              name={ok === undefined ? 'idle' : ok ? 'ok' : 'no'}
              tone={ok === undefined ? 'idle' : ok ? 'done' : 'fail'}
            />
            <span>
              {name}{' '}
              <span class="quiet small">
                {provider} {id}, tier {tier}
                {latencyMs === undefined ? '' : `, ${latencyMs} ms`}
                {reason === undefined ? '' : `, ${reason}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
