// The guard before the Web UI: what a person's own browser asks for passes, everything that another page could cause does not.
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test, onTestFinished } from 'vitest';
import { loopback, secludedAddress } from '../../../workers/server/loopback-address.ts';
import { startWebUiGuard, type WebUiGuard } from '../../../workers/server/web-ui-guard.ts';
import { ask } from '../support-http.ts';

interface Asked {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A Web UI that writes down what reaches it, and a guard before it. */
async function guarded(answering?: RequestListener): Promise<{ guard: WebUiGuard; asked: Asked[]; uiPort: number }> {
  const asked: Asked[] = [];
  const ui = createServer((request, answer) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, headers: request.headers, body });
      if (answering !== undefined) return answering(request, answer);
      answer.writeHead(201, { 'set-cookie': ['_csrf=1; Path=/', 'b=2'], 'x-said': 'yes' });
      answer.end(`answer ${body}`);
    });
  });
  await new Promise<void>((resolve) => ui.listen({ host: loopback, port: 0 }, resolve));
  const { port: uiPort } = ui.address() as AddressInfo;
  const guard = await startWebUiGuard({
    host: await secludedAddress(undefined),
    port: undefined,
    webUi: () => ({ host: loopback, port: uiPort }),
  });
  onTestFinished(async () => {
    await guard.close();
    ui.closeAllConnections();
    ui.close();
  });
  return { guard, asked, uiPort };
}

test('passes on what its own page asks for, with body, cookies and status, under the name of the Web UI', async () => {
  const { guard, asked, uiPort } = await guarded();
  const answer = await fetch(`${guard.url}/api/v1/x?y=%2F..`, {
    method: 'POST',
    body: 'hello',
    headers: { origin: guard.url, 'sec-fetch-site': 'same-origin', cookie: '_csrf=1', 'x-csrf-token': '1' },
  });
  expect(answer.status).toBe(201);
  expect(await answer.text()).toBe('answer hello');
  expect(answer.headers.getSetCookie()).toEqual(['_csrf=1; Path=/', 'b=2']);
  expect(asked).toMatchObject([
    {
      method: 'POST',
      url: '/api/v1/x?y=%2F..',
      body: 'hello',
      headers: {
        host: `${loopback}:${uiPort}`,
        origin: `http://${loopback}:${uiPort}`,
        cookie: '_csrf=1',
        'x-csrf-token': '1',
      },
    },
  ]);
});

test('refuses with 403 whatever names another host, another page or another site, and nothing of it reaches the Web UI', async () => {
  const { guard, asked } = await guarded();
  const own = `${guard.host}:${guard.port}`;
  const refused: Record<string, string>[] = [
    ...['evil.test', `evil.test:${guard.port}`, guard.host, `${own}.`, `localhost:${guard.port}`].map((host) => ({
      host,
    })),
    ...[`${guard.host}:1`, `${own} evil.test`, `${own}@evil.test`].map((host) => ({ host })),
    ...['http://evil.test', 'null', '', `https://${own}`, `http://${guard.host}`, `http://${own}.evil.test`].map(
      (origin) => ({ origin }),
    ),
    ...['cross-site', 'same-site', 'something', ''].map((site) => ({ 'sec-fetch-site': site })),
    { origin: `http://${own}`, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of refused) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const status = await ask(guard, {
        method,
        path: '/api/v1/namespaces',
        headers,
        body: method === 'POST' ? 'x' : '',
      });
      expect(status, `${method} ${JSON.stringify(headers)}`).toBe(403);
    }
  }
  expect(await ask(guard, { method: 'GET', path: 'http://evil.test/api', headers: { host: own } })).toBe(403);
  expect(asked).toEqual([]);
  for (const site of ['none', 'same-origin']) {
    expect(await ask(guard, { method: 'GET', path: '/', headers: { 'sec-fetch-site': site } })).toBe(201);
  }
});

/** Bytes as they are; the answer, or what came until the connection was closed. */
function raw(guard: WebUiGuard, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(guard, () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

test('takes no request without a host, with two hosts, no tunnel, no upgrade and no second request hidden in a body', async () => {
  const { guard, asked } = await guarded();
  const own = `${guard.host}:${guard.port}`;
  const end = 'Connection: close\r\n\r\n';
  expect(await raw(guard, `GET / HTTP/1.1\r\n${end}`)).toContain(' 400 ');
  expect(await raw(guard, `GET / HTTP/1.0\r\n\r\n`)).toContain(' 403 ');
  expect(await raw(guard, `GET / HTTP/1.1\r\nHost: \r\n${end}`)).toContain(' 403 ');
  expect(await raw(guard, `GET / HTTP/1.1\r\nHost: evil.test\r\nHost: ${own}\r\n${end}`)).toMatch(/ 40[03] /);
  expect(await raw(guard, `CONNECT ${own} HTTP/1.1\r\nHost: ${own}\r\n\r\n`)).toBe('');
  const upgrade = `Host: ${own}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  expect(await raw(guard, `GET / HTTP/1.1\r\n${upgrade}`)).toBe('');
  const hidden = `POST /hidden HTTP/1.1\r\nHost: ${own}\r\nContent-Length: 0\r\n\r\n`;
  const outer = `POST / HTTP/1.1\r\nHost: evil.test\r\nContent-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await raw(guard, outer + hidden)).toMatch(/ 40[03] /);
  const plain = `POST / HTTP/1.1\r\nHost: evil.test\r\nContent-Length: ${hidden.length}\r\n\r\n`;
  expect(await raw(guard, plain + hidden)).not.toContain(' 201 ');
  expect(asked).toEqual([]);
});

test('says 502 while the Web UI is away, and goes on when it is back', async () => {
  let at: { host: string; port: number } | undefined;
  const guard = await startWebUiGuard({ host: loopback, port: undefined, webUi: () => at });
  onTestFinished(() => guard.close());
  expect((await fetch(guard.url)).status).toBe(502);
  const { guard: behind, uiPort } = await guarded();
  at = { host: loopback, port: behind.port };
  const nobodyThere = behind.host !== loopback;
  if (nobodyThere) expect((await fetch(guard.url)).status).toBe(502);
  at = { host: loopback, port: uiPort };
  expect((await fetch(guard.url)).status).toBe(201);
});

test('ends an answer that the Web UI broke off, and takes the wished port or another one', async () => {
  const { guard } = await guarded((_request, answer) => {
    answer.writeHead(200, { 'content-length': '100' });
    answer.write('half');
    setTimeout(() => answer.destroy(), 20);
  });
  await expect(fetch(guard.url).then((answer) => answer.text())).rejects.toThrow();
  const taken = await startWebUiGuard({ host: guard.host, port: guard.port, webUi: () => undefined });
  expect(taken.port).not.toBe(guard.port);
  await taken.close();
  const again = await startWebUiGuard({ host: guard.host, port: taken.port, webUi: () => undefined });
  onTestFinished(() => again.close());
  expect(again.url).toBe(taken.url);
});

test('keeps an address that it had, and takes another one instead of one that this machine does not have', async () => {
  const first = await secludedAddress(undefined);
  expect(await secludedAddress(first)).toBe(first);
  expect(await secludedAddress(first, first)).not.toBe(first);
  expect(await secludedAddress('203.0.113.7')).toMatch(/^127\./);
  // Linux has all of 127.0.0.0/8.
  if (process.platform === 'linux') expect(first).toMatch(/^127\.([1-9]\d*)\./);
});
