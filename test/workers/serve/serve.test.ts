// The API and the console as `heddle up`, `heddle serve` and the background service serve them, over real sockets.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { Cli, until, type Running } from '../../support/cli.ts';

interface Served {
  console: string;
  api: string;
  pid: number;
}

/** Waits for the line by which a command says that it serves. */
async function ready(running: Running): Promise<Served> {
  const failed = running.finished.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([until('it serves', () => running.stdout().includes('\n')), failed]);
  onTestFinished(() => {
    running.child.kill('SIGTERM');
  });
  return JSON.parse(running.stdout()) as Served;
}

async function stop(running: Running): Promise<number | null> {
  running.child.kill('SIGTERM');
  return (await running.finished).code;
}

const keyOf = (home: string): string => readFileSync(join(home, 'run', 'console-key'), 'utf8').trim();

const askMe = (api: string, token: string): Promise<Response> =>
  fetch(`${api}/me`, { headers: { authorization: `Bearer ${token}` } });

const signIn = (console: string, code: string): Promise<Response> =>
  fetch(`${console}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: console },
    body: JSON.stringify({ code }),
  });

/** Another program on a port of this machine. */
async function otherProgram(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** For tests that need no local service: the server of all tests. */
const withServer = (extra: Record<string, string> = {}): Cli =>
  new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), ...extra });

test('the background service serves the API beside the tasks, and is found by its record', async () => {
  const cli = new Cli();
  const up = await cli.json<{ console: string; pid: number }>('up', '--background');
  expect(up.console).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const record: unknown = JSON.parse(readFileSync(join(cli.home, 'run', 'api.json'), 'utf8'));
  expect(record).toMatchObject({ console: up.console, api: `${up.console}/api/v1`, pid: up.pid });
  expect(statSync(join(cli.home, 'run', 'api.json')).mode & 0o777).toBe(0o600);
  const me = await askMe(`${up.console}/api/v1`, keyOf(cli.home));
  expect(await me.json()).toMatchObject({ role: 'operator', expiresAt: null });
  const { url } = await cli.json<{ url: string }>('open');
  expect(url.startsWith(`${up.console}/#code=`)).toBe(true);
  const code = url.slice(url.indexOf('#code=') + '#code='.length);
  const session = await signIn(up.console, code);
  expect(session.status).toBe(204);
  const [set = ''] = session.headers.getSetCookie();
  expect(set).toMatch(/^__Host-heddle-[0-9a-f]{16}=[^;]+; .*HttpOnly.*Secure.*SameSite=Strict/i);
  const mine = await fetch(`${up.console}/api/v1/me`, { headers: { cookie: set.split(';')[0] ?? '' } });
  expect(await mine.json()).toMatchObject({ role: 'operator', expiresAt: expect.any(String) as unknown });
  expect((await signIn(up.console, code)).status).toBe(401);
  const page = await fetch(up.console);
  const html = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(files.map((path) => extname(path)).sort()).toEqual(['.css', '.js', '.svg']);
  for (const path of files) {
    const file = await fetch(`${up.console}${path}`);
    expect([path, file.status, file.headers.get('cache-control')]).toEqual([
      path,
      200,
      expect.stringContaining('immutable'),
    ]);
    expect(file.headers.get('content-type')).toMatch(/^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/);
  }
  expect((await fetch(`${up.console}/assets/../package.json`)).status).toBe(404);
  const missing = await cli.run('open', 'nothing-here');
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('TASK_NOT_FOUND')]);
  expect((await cli.run('down')).code).toBe(0);
  await expect(fetch(`${up.console}/api/v1/health/live`)).rejects.toThrow();
});

test('a port that nobody asked for by name is another one where it is taken, and is kept', async () => {
  const cli = withServer();
  const first = cli.start('serve', '--json');
  const { console: before } = await ready(first);
  const second = withServer().start('serve', '--json');
  const { console: other } = await ready(second);
  expect(other).not.toBe(before);
  expect(await stop(first)).toBe(0);
  const again = cli.start('serve', '--json');
  expect((await ready(again)).console).toBe(before);
  expect(await stop(again)).toBe(0);
  expect(await stop(second)).toBe(0);
});

test('a port that was asked for by name is used or refused', async () => {
  const port = await otherProgram();
  for (const [cli, args] of [
    [withServer(), ['serve', '--port', String(port)]],
    [withServer({ HEDDLE_SERVER_PORT: String(port) }), ['up']],
  ] as const) {
    const { code, stderr } = await cli.run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('ADDRESS_TAKEN')]);
  }
});

test('an address that others can reach needs tokens, and the key of the home does not count there', async () => {
  const cli = withServer();
  const refused = await cli.run('serve', '--host', '0.0.0.0');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('SERVE_UNPROTECTED')]);
  const { token } = await cli.jsonHere<{ token: string }>('auth', 'token', 'add', 'ana', '--role', 'viewer');
  const running = cli.start('serve', '--host', '0.0.0.0', '--json');
  const { api } = await ready(running);
  expect((await askMe(api, token)).status).toBe(200);
  expect((await askMe(api, keyOf(cli.home))).status).toBe(401);
  await cli.here('auth', 'token', 'revoke', 'ana');
  expect((await askMe(api, token)).status).toBe(401);
  expect(await stop(running)).toBe(0);
});

test('up serves the tasks of a given server too, names the console first, and keeps the key out of a pipe', async () => {
  const cli = withServer();
  const running = cli.start('up');
  await until('it is ready', () => running.stdout().includes('Process'));
  const [first = ''] = running.stdout().split('\n');
  expect(first).toMatch(/^Console {3}http:\/\/127\.0\.0\.1:\d+$/);
  expect(running.stdout()).not.toContain('hdl_');
  const { url } = await cli.json<{ url: string }>('open');
  expect(url.startsWith(`${first.slice('Console   '.length)}/#code=`)).toBe(true);
  expect(await stop(running)).toBe(0);
  const nobody = await cli.run('open');
  expect([nobody.code, nobody.stderr]).toEqual([5, expect.stringContaining('heddle serve')]);
});

test('up --no-console listens for nobody', async () => {
  const cli = withServer();
  const running = cli.start('up', '--no-console', '--json');
  expect(await ready(running)).toMatchObject({ console: null });
  expect(await stop(running)).toBe(0);
});
