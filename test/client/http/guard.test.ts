// The API refuses requests before any route sees them, over real sockets.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { useApi } from '../../support/api/api-rig.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

/** With headers that `fetch` does not let a program set. */
const raw = (path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asking = request(`${api.origin}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });

test('anybody may ask whether the server lives, and nobody else is told who they are', async () => {
  expect((await api.ask('GET', '/health/live', { as: null })).json).toEqual({ ok: true });
  expect((await api.ask('GET', '/me', { as: 'ana' })).json).toEqual({
    name: 'ana',
    role: 'operator',
    expiresAt: null,
    version: '0.0.0-test',
  });
  const refused = await api.ask('GET', '/me', { as: null });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(refused.json).toMatchObject({ error: { code: 'AUTH_REQUIRED' } });
});

test.each([
  ['another name for this machine', '/api/v1/me', { host: 'evil.example' }, 421],
  ['a script of another page', '/api/v1/me', { origin: 'http://evil.example' }, 403],
  ['a sandboxed frame', '/api/v1/me', { origin: 'null' }, 403],
  ['an image on another page', '/api/v1/health/live', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another port of this host', '/api/v1/me', { 'sec-fetch-site': 'same-site' }, 403],
  ['an unknown route without a token', '/api/v1/nothing', {}, 401],
  ['a link to a page from anywhere, where there is no console', '/', { 'sec-fetch-site': 'cross-site' }, 404],
])('%s is refused', async (_, path, headers, status) => {
  expect(await raw(path, headers)).toBe(status);
});

test('a known person is told what there is not', async () => {
  expect((await api.ask('GET', '/nothing')).json).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND' } });
  const refused = await api.ask('POST', '/me', { as: 'viewer' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await api.ask('OPTIONS', '/me')).status).toBe(405);
  expect((await api.ask('HEAD', '/me')).text).toBe('');
  expect((await api.ask('GET', '/me?nope=1')).json).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
  expect(api.bugs).toEqual([]);
});
