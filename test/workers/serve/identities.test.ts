// Tokens of the file, the home's own key, cookies and one-time codes let people in, and nothing else does.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiFiles } from '../../../activities/home/home-layout.ts';
import { sha256 } from '../../../activities/system/hash-file.ts';
import { homeKey, newToken, sign } from '../../../workers/serve/home-key.ts';
import { createIdentities } from '../../../workers/serve/identities.ts';
import { makeCode } from '../../../workers/serve/one-time-code.ts';
import { sealCookie } from '../../../workers/serve/session-cookie.ts';
import { readUses, TokenUses } from '../../../workers/serve/token-uses.ts';
import { writeTokens, type TokenEntry } from '../../../workers/serve/tokens-file.ts';

const audience = '7 boot:1';
const createdAt = '2026-11-19T00:00:00.000Z';

function makeHome() {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-identities-'));
  const home = { run: join(folder, 'run'), store: join(folder, 'store') };
  const file = join(folder, 'tokens.toml');
  const uses: string[] = [];
  const open = (given: Partial<Parameters<typeof createIdentities>[0]['settings']> = {}) =>
    createIdentities({
      home,
      settings: { host: '127.0.0.1', local: 'operator', tokensFile: file, ...given },
      user: 'me',
      audience,
      onUse: (hash) => uses.push(hash),
    });
  const put = (...tokens: TokenEntry[]): void => writeTokens(file, tokens);
  return { home, file, uses, open, put, key: homeKey(home) };
}

const entry = (token: string, given: Partial<TokenEntry> = {}): TokenEntry => ({
  name: 'ana',
  role: 'decider',
  sha256: sha256(token),
  createdAt,
  ...given,
});

test('a token is its name and role, until it is revoked or expires', async () => {
  const { open, put, uses } = makeHome();
  const [token, old] = [newToken(), newToken()];
  put(entry(token), entry(old, { name: 'old', expiresAt: new Date(Date.now() - 1_000).toISOString() }));
  const identities = open();
  expect(await identities.bearer(token)).toEqual({ name: 'ana', role: 'decider', expiresAt: null });
  expect(uses).toEqual([sha256(token)]);
  // A stream that looks whether its reader may go on is no use of the token.
  expect(await identities.bearer(token, { isUse: false })).toMatchObject({ name: 'ana' });
  const { cookie = '' } = (await identities.openSession({ token })) ?? {};
  expect(await identities.cookie(cookie, { isUse: false })).toMatchObject({ name: 'ana' });
  expect(uses).toEqual([sha256(token)]);
  expect(await identities.cookie(cookie)).toMatchObject({ name: 'ana' });
  expect(uses).toEqual([sha256(token), sha256(token)]);
  for (const unknown of [old, newToken(), '', sha256(token)]) expect(await identities.bearer(unknown)).toBeUndefined();
  put();
  expect(await identities.bearer(token)).toBeUndefined();
});

test('a session ends with its token, and no longer says the role that it had', async () => {
  const { open, put } = makeHome();
  const token = newToken();
  const soon = new Date(Date.now() + 60_000).toISOString();
  put(entry(token, { expiresAt: soon }));
  const identities = open();
  const session = await identities.openSession({ token });
  expect(session?.identity).toEqual({ name: 'ana', role: 'decider', expiresAt: soon });
  expect(session?.maxAgeS).toBeLessThanOrEqual(60);
  const cookie = session?.cookie ?? '';
  expect(cookie).not.toContain(token);
  expect(await identities.cookie(cookie)).toEqual({ name: 'ana', role: 'decider', expiresAt: soon });
  put(entry(token, { role: 'operator' }));
  expect(await identities.cookie(cookie)).toBeUndefined();
  put(entry(token));
  expect(await identities.cookie(cookie)).toMatchObject({ name: 'ana' });
  put();
  expect(await identities.cookie(cookie)).toBeUndefined();
});

test('a cookie that this home did not sign, or that has expired, is nobody', async () => {
  const { open, put, key } = makeHome();
  const token = newToken();
  put(entry(token));
  const claims = { name: 'ana', role: 'operator' as const, token: sha256(token), expires: Date.now() + 60_000 };
  const [body = '', signature = ''] = sealCookie(key, { ...claims, role: 'decider' }).split('.');
  const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const identities = open();
  expect(await identities.cookie(`${body}.${signature}`)).toMatchObject({ role: 'decider' });
  const bad = [
    `${forged}.${signature}`,
    sealCookie(newToken(), { ...claims, role: 'decider' }),
    sealCookie(key, { ...claims, role: 'decider', expires: Date.now() - 1 }),
    `${body}.${sign(key, 'code', body)}`,
    `${body}.${signature}.x`,
    body,
    '',
  ];
  for (const value of bad) expect([value, await identities.cookie(value)]).toEqual([value, undefined]);
});

test('the key of the home counts on loopback alone, with the role of the settings', async () => {
  const { open, key } = makeHome();
  expect(await open().bearer(key)).toEqual({ name: 'me', role: 'operator', expiresAt: null });
  expect(await open({ local: 'viewer' }).bearer(key)).toMatchObject({ role: 'viewer' });
  expect(await open({ local: 'none' }).bearer(key)).toBeUndefined();
  expect(await open({ host: '0.0.0.0' }).bearer(key)).toBeUndefined();
  const cookie = (await open().openSession({ token: key }))?.cookie ?? '';
  expect(await open().cookie(cookie)).toMatchObject({ name: 'me', role: 'operator' });
  for (const settings of [{ local: 'viewer' as const }, { local: 'none' as const }, { host: '10.0.0.1' }])
    expect(await open(settings).cookie(cookie)).toBeUndefined();
});

test('a code lets one browser in, once, at the server that it was made for', async () => {
  const { open, key } = makeHome();
  const identities = open();
  const code = makeCode(key, audience);
  expect(await identities.openSession({ code })).toMatchObject({ identity: { name: 'me', role: 'operator' } });
  expect(await identities.openSession({ code })).toBeUndefined();
  const [time = '', nonce = '', signature = ''] = makeCode(key, audience).split('.');
  const later = (Number.parseInt(time, 36) + 60_000).toString(36);
  const bad = [makeCode(key, '8 boot:1'), makeCode(newToken(), audience), `${later}.${nonce}.${signature}`, 'x', ''];
  for (const one of bad) expect(await identities.openSession({ code: one })).toBeUndefined();
  expect(await open({ local: 'none' }).openSession({ code: makeCode(key, audience) })).toBeUndefined();
});

test('a file of tokens that breaks lets nobody in by it, and says so', async () => {
  const { open, put, file, key } = makeHome();
  const token = newToken();
  put(entry(token));
  const identities = open();
  const cookie = (await identities.openSession({ token }))?.cookie ?? '';
  writeFileSync(file, 'tokens = {');
  await expect(identities.bearer(token)).rejects.toMatchObject({ code: 'TOKENS_UNREADABLE' });
  await expect(identities.cookie(cookie)).rejects.toMatchObject({ code: 'TOKENS_UNREADABLE' });
  expect(await identities.bearer(key)).toMatchObject({ name: 'me' });
  put(entry(token));
  expect(await identities.cookie(cookie)).toMatchObject({ name: 'ana' });
  chmodSync(file, 0o666);
  await expect(identities.bearer(token)).rejects.toMatchObject({ code: 'TOKENS_UNREADABLE' });
});

test('the last use of a token is kept in the home', async () => {
  const { home, put } = makeHome();
  put();
  const { used } = apiFiles(home.run);
  const uses = new TokenUses(used, (error) => expect.fail(String(error)));
  uses.note('a');
  uses.note('b');
  await uses.settle();
  expect(Object.keys(readUses(used))).toEqual(['a', 'b']);
});
