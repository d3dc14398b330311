// A page on another port of this machine is sent the cookie too, as browsers do not tell ports apart. It reaches nothing all the same.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useApi } from '../../support/api/api-rig.ts';
import { chromiumPath, useBrowser } from '../../support/browser.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);
const openPage = useBrowser(() => Promise.resolve({}));

async function otherPort(): Promise<string> {
  const server = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end('<h1>Another page</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Runs in the page: everything by which a page can ask another server for something. */
const attack = (origin: string): string => `(async () => {
  const quiet = (asking) => asking.catch(() => undefined);
  const body = JSON.stringify({ answers: [{ taskId: 'x', decisionId: 'y', option: 'approve' }] });
  await quiet(fetch('${origin}/api/v1/me', { credentials: 'include' }));
  await quiet(fetch('${origin}/api/v1/me', { credentials: 'include', mode: 'no-cors' }));
  await quiet(fetch('${origin}/api/v1/decisions', { method: 'POST', credentials: 'include', mode: 'no-cors', body }));
  await quiet(fetch('${origin}/api/v1/decisions', {
    method: 'POST', credentials: 'include', body, headers: { 'content-type': 'application/json' },
  }));
  const events = new EventSource('${origin}/api/v1/stream', { withCredentials: true });
  const frame = document.createElement('iframe');
  frame.src = '${origin}/api/v1/me';
  document.body.append(frame);
  const form = document.createElement('form');
  form.method = 'post'; form.action = '${origin}/api/v1/decisions'; form.enctype = 'text/plain'; form.target = 'inside';
  const inside = document.createElement('iframe');
  inside.name = 'inside';
  document.body.append(inside, form);
  form.submit();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  events.close();
})()`;

test.skipIf(chromiumPath === undefined)('a page of another server on this machine reaches no route', async () => {
  const page = await openPage();
  await page.goto(`${api.origin}/api/v1/health/live`);
  const signedIn = await page.evaluate(`fetch('/api/v1/session', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token: 'hdl_operator-ana' }),
  }).then(() => fetch('/api/v1/me')).then((answer) => answer.status)`);
  expect(signedIn).toBe(200);
  const statuses: [string, number][] = [];
  page.on('response', (answer) => {
    if (!answer.url().startsWith(api.origin)) return;
    statuses.push([`${answer.request().method()} ${answer.url().slice(api.origin.length)}`, answer.status()]);
  });
  await page.goto(await otherPort());
  await page.evaluate(attack(api.origin));
  // The browser tells the test nothing of a failed preflight, nor of a stream that it keeps from a page.
  expect(statuses.map(([what]) => what)).toEqual(expect.arrayContaining(['GET /api/v1/me', 'POST /api/v1/decisions']));
  expect(statuses.filter(([, status]) => status !== 403)).toEqual([]);
  // The door still opens for the page of the server itself.
  await page.goto(`${api.origin}/api/v1/health/live`);
  expect(await page.evaluate(`fetch('/api/v1/me').then((answer) => answer.status)`)).toBe(200);
});
