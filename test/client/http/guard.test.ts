// The API refuses requests before any route sees them, over real sockets.
import { expect, test } from 'vitest';
import { askServer, useApi } from '../../support/api/api-rig.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

test('anybody may ask whether the server lives, and only who is known is told who they are', async () => {
  expect((await api.ask('GET', '/health/live', { as: null })).json).toEqual({ ok: true });
  expect((await api.ask('GET', '/me', { as: 'operator-ana' })).json).toEqual({
    name: 'ana',
    role: 'operator',
    expiresAt: null,
    version: '0.0.0-test',
  });
  const refused = await api.ask('GET', '/me', { as: null });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(refused.json).toMatchObject({ error: { code: 'AUTH_REQUIRED' } });
});

test.each([
  ['another name for this machine', '/api/v1/me', { host: 'evil.example' }, 421],
  ['a script of another page', '/api/v1/me', { origin: 'http://evil.example' }, 403],
  ['a sandboxed frame', '/api/v1/me', { origin: 'null' }, 403],
  ['an image on another page', '/api/v1/health/live', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another port of this host', '/api/v1/me', { 'sec-fetch-site': 'same-site' }, 403],
  ['an unknown route without a token', '/api/v1/nothing', {}, 401],
  ['a page where there is no console', '/', { 'sec-fetch-site': 'cross-site' }, 404],
])('%s is refused', async (_, path, headers, status) => {
  expect((await askServer(`${api.origin}${path}`, 'GET', { as: null, headers })).status).toBe(status);
});

test('what is wrong first is told first', async () => {
  const ask = async (options: Parameters<typeof api.ask>[2], method = 'POST', path = '/models/check') => {
    const { status, json } = await api.ask(method, path, options);
    return [status, (json as { error: { code: string } }).error.code];
  };
  const everything = { as: 'nobody', body: '{', headers: { 'content-type': 'text/plain' } };
  const host = { ...everything, headers: { ...everything.headers, host: 'evil', origin: 'http://evil' } };
  expect(await ask(host)).toEqual([421, 'HOST_NOT_ALLOWED']);
  expect(await ask({ ...everything, headers: { origin: 'http://evil' } })).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect(await ask(everything)).toEqual([401, 'AUTH_REQUIRED']);
  expect(await ask({ ...everything, as: 'viewer' }, 'POST', '/nothing')).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect(await ask({ ...everything, as: 'viewer' }, 'PATCH')).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(await ask({ ...everything, as: 'viewer' })).toEqual([403, 'ROLE_TOO_LOW']);
  expect(await ask({ ...everything, as: 'operator' })).toEqual([415, 'BODY_TYPE']);
  expect(await ask({ body: `{"workspace": "${'x'.repeat(17_000)}` })).toEqual([413, 'BODY_TOO_LARGE']);
  expect(await ask({ body: '{' })).toEqual([400, 'BODY_MALFORMED']);
  expect(await ask({ body: { nope: 1 } })).toEqual([422, 'REQUEST_INVALID']);
  expect(await ask({ body: { workspace: 'here' } })).toEqual([422, 'REQUEST_INVALID']);
  expect(api.bugs).toEqual([]);
});

test('OPTIONS and HEAD are answered as methods, and a query is checked', async () => {
  const refused = await api.ask('OPTIONS', '/me', { as: 'viewer' });
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
  expect((await api.ask('HEAD', '/me')).text).toBe('');
  expect((await api.ask('GET', '/me?nope=1')).status).toBe(422);
  expect((await api.ask('GET', '/tasks?limit=1&limit=2')).status).toBe(422);
});

test('a name has 20 requests a second and 5 changes, an address 10 tokens that nobody knows', async () => {
  const statuses = async (count: number, one: () => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: count }, one))).map(({ status }) => status);
  const reads = await statuses(25, () => api.ask('GET', '/me', { as: 'viewer-eve' }));
  expect(reads.filter((status) => status === 429).length).toBeGreaterThan(0);
  const writes = await statuses(8, () => api.ask('POST', '/models/check', { as: 'operator-eve', body: { nope: 1 } }));
  expect(writes.filter((status) => status === 429).length).toBeGreaterThan(0);
  const guesses = await statuses(12, () => api.ask('GET', '/me', { as: 'nobody', from: '127.0.0.77' }));
  expect(guesses.filter((status) => status === 401).length).toBe(10);
  const refused = await api.ask('GET', '/me', { as: 'viewer', from: '127.0.0.77' });
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await api.ask('GET', '/me', { as: 'viewer' })).status).toBe(200);
});

test('a session is opened with a token, held by its cookie, and forgotten', async () => {
  const opened = await api.ask('POST', '/session', { as: null, body: { token: 'hdl_decider-ben' } });
  const cookie = String(opened.headers['set-cookie']);
  expect(cookie).toMatch(/^__Host-heddle-test=\w+; Path=\/; Max-Age=60; HttpOnly; Secure; SameSite=Strict$/);
  const signedIn = await api.ask('GET', '/me', { as: null, headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
  expect(signedIn.json).toMatchObject({ name: 'ben', role: 'decider' });
  expect((await api.ask('POST', '/session', { as: null, body: { token: 'hdl_nobody' } })).status).toBe(401);
  const closed = await api.ask('DELETE', '/session', { as: null });
  expect(String(closed.headers['set-cookie'])).toContain('Max-Age=0');
});
