import { request } from 'node:http';
import type { Check } from '../../client/ports/service.ts';
import { workerLimits } from '../limits/worker-limits.ts';

/** Checks who can reach the local service, as far as it can be seen from here: it is asked at its own address. */
export async function checkReach({ webUi }: { webUi: string }): Promise<Check[]> {
  return [await checkPages(webUi), otherUsers];
}

async function checkPages(webUi: string): Promise<Check> {
  const name = 'web pages';
  const foreign = [
    { host: 'foreign.invalid' },
    { origin: 'http://foreign.invalid' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  const answers = await Promise.all(foreign.map((headers) => fetchStatus(webUi, headers)));
  const open = answers.find((status) => status !== 403);
  if (answers.includes(undefined))
    return { name, ok: false, detail: `the Web UI at ${webUi} is not responding`, hint: again };
  if (open !== undefined) {
    return { name, ok: false, detail: `the Web UI answers a foreign page with ${open} instead of 403`, hint: again };
  }
  const own = await fetchStatus(webUi, {});
  if (own !== 200)
    return { name, ok: false, detail: `the Web UI answers its own page with ${own ?? 'nothing'}`, hint: again };
  return {
    name,
    ok: true,
    detail: 'the Web UI refuses foreign ones (just tried); the HTTP API was closed when the server started',
  };
}

const again = 'Start the service again: `heddle down`, then `heddle up --background`.';

/** Not a fault that could be repaired here, but everybody should have read it. */
export const otherUsers: Check = {
  name: 'other users',
  ok: true,
  detail:
    'while the local service runs, every user of this machine can reach it, and so run programs as you: its Temporal server has no password',
  hint: 'If others have an account here, run Heddle in a container or on a machine of its own, or give TEMPORAL_ADDRESS a server with TLS and access control.',
};

function fetchStatus(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = request(url, { headers, agent: false, timeout: workerLimits.server.readyAnswer });
    probe.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(undefined));
    probe.once('close', () => resolve(undefined));
    probe.end();
  });
}
