// A page of somebody else that wants to start workflows, by fetch, by form or by a name that leads here.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type DevServer, startDevServer } from '../../workers/server/dev-server.ts';
import { unbrowsablePort } from '../../workers/server/unbrowsable-port.ts';
import { type Place, startOf } from '../workers/support-http.ts';
import { makeTempFolder, temporalPath } from '../workers/support-server.ts';

const pathOf = (id: string): string => `/api/v1/namespaces/default/workflows/${id}`;

export async function clientOf(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

/** Which of the workflows that the page wanted to start are there; asked by id, since a list is late. */
export async function startedOf(client: Client, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const there = client.workflow.getHandle(id).describe();
    if (await there.then(() => true).catch((error: unknown) => !String(error).includes('not found'))) found.push(id);
  }
  return found;
}

async function serve(listener: RequestListener, place: { host: string; port: number }): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(place, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The page of somebody else, at an origin of its own. */
export async function hostileOrigin(): Promise<string> {
  const port = await serve(
    (_request, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end('<!doctype html><title>free money</title>');
    },
    { host: '127.0.0.1', port: 0 },
  );
  return `http://127.0.0.1:${port}/`;
}

/** Simple requests need no leave: their answer is hidden, but they arrive. */
const simpleFetch = `({ url, body }) =>
  fetch(url, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })
    .then(() => 'sent')
    .catch(String)`;

/** A form of type text/plain writes NAME=VALUE: with the sign inside a string of the JSON it is a good body. */
const formPost = `async ({ url, body }) => {
  const frame = document.createElement('iframe');
  frame.name = 'frame' + Math.random();
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', enctype: 'text/plain', action: url, target: frame.name });
  const field = document.createElement('input');
  field.name = body.slice(0, -1) + ',"requestId":"a';
  field.value = '"}';
  form.append(field);
  document.body.append(frame, form);
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  form.submit();
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 1000))]);
}`;

/** Its own name leads to the target now, so the browser takes the answers for its own: it reads the token and uses it. */
const sameOriginPost = `async ({ url, body }) => {
  const said = [];
  await fetch('/').catch(() => undefined);
  const token = /_csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '';
  for (const type of ['application/json', 'text/plain']) {
    const headers = { 'content-type': type, 'x-csrf-token': token };
    said.push(await fetch(url, { method: 'POST', headers, body }).then((answer) => answer.status).catch(String));
  }
  return said.join();
}`;

/** Scripts are texts here, as a page has them: no type of ours reaches into a browser. */
function runInPage(page: Page, script: string, given: { url: string; body: string }): Promise<unknown> {
  return page.evaluate(`(${script})(${JSON.stringify(given)})`);
}

async function byRebinding(page: Page, origin: string, id: string): Promise<unknown> {
  // The page that was there before its name led here.
  await page.route(`${origin}/first`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  const failed = await page.goto(`${origin}/first`).then(() => undefined, String);
  return failed ?? runInPage(page, sameOriginPost, { url: pathOf(id), body: startOf(id) });
}

/** All three at one target. Gives the ids that it tried to start, and what the page saw. */
export async function attack(
  page: Page,
  target: Place,
  name: string,
  from: string,
): Promise<{ ids: string[]; saw: string }> {
  const key = `${target.host}-${target.port}`;
  const ids = ['fetch', 'form', 'rebound'].map((way) => `${way}-${key}`);
  const [byFetch = '', form = '', rebound = ''] = ids;
  const url = `http://${target.host}:${target.port}`;
  await page.goto(from);
  const fetched = await runInPage(page, simpleFetch, { url: `${url}${pathOf(byFetch)}`, body: startOf(byFetch) });
  await runInPage(page, formPost, { url: `${url}${pathOf(form)}`, body: startOf(form) });
  const answered = await byRebinding(page, `http://${name}:${target.port}`, rebound);
  return { ids, saw: `${String(fetched)} ${String(answered)}` };
}

/** A Web UI without a guard. */
export async function startUnguarded(): Promise<DevServer> {
  const folder = makeTempFolder();
  const server = await startDevServer({
    temporalPath: await temporalPath(),
    dbFile: `${folder}/temporal.db`,
    logFile: `${folder}/temporal.log`,
    uiPort: 28_233,
  });
  onTestFinished(() => server.stop());
  return server;
}

/** Every port that the Web UI itself may have: a browser opens none of them, and when all are taken that is said. */
export async function expectUnbrowsable(page: Page, host: string, name: string): Promise<void> {
  let reached = 0;
  const ports: number[] = [];
  while (ports.length < 17) {
    const port = await unbrowsablePort(host);
    ports.push(port);
    await serve((_request, answer) => answer.end(String((reached += 1))), { host, port });
    for (const at of [host, name])
      await expect(page.goto(`http://${at}:${port}/`), String(port)).rejects.toThrow('ERR_UNSAFE_PORT');
  }
  expect(new Set(ports).size).toBe(17);
  expect(reached).toBe(0);
  await expect(unbrowsablePort(host)).rejects.toThrow(expect.objectContaining({ code: 'NO_FREE_PORT' }));
}
