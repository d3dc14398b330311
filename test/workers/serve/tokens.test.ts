// Names that may call the API: the file of tokens, the commands that change it, and the settings of `[server]`.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../activities/system/hash-file.ts';
import { homeOfAnyVersion } from '../../../workers/home/home.ts';
import { homeKey } from '../../../workers/serve/home-key.ts';
import { loadServerSettings } from '../../../workers/settings/server-settings.ts';
import { Cli } from '../../support/cli.ts';

interface Added {
  name: string;
  role: string;
  token: string;
  expiresAt: string | null;
}

const add = (cli: Cli, ...args: string[]): Promise<Added> => cli.jsonHere('auth', 'token', 'add', ...args);

test('a token is shown once, and its file holds only a hash, for its owner alone', async () => {
  const cli = new Cli();
  const added = await add(cli, 'ana', '--role', 'decider', '--expires', '90d');
  expect(added).toMatchObject({ name: 'ana', role: 'decider' });
  expect(added.token).toMatch(/^hdl_[A-Za-z0-9_-]{43}$/);
  expect(Math.round((Date.parse(added.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(90);
  const file = join(cli.home, 'tokens.toml');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(added.token);
  expect(readFileSync(file, 'utf8')).toContain(sha256(added.token));
  const [listed] = await cli.jsonHere<Record<string, unknown>[]>('auth', 'token', 'list');
  expect(Object.keys(listed ?? {})).toEqual(['name', 'role', 'createdAt', 'expiresAt', 'lastUsedAt']);
  expect(listed).toMatchObject({ name: 'ana', role: 'decider', expiresAt: added.expiresAt, lastUsedAt: null });
});

test('a name has one token, and goes when it is revoked', async () => {
  const cli = new Cli();
  await add(cli, 'ben', '--role', 'viewer');
  const again = await cli.here('auth', 'token', 'add', 'ben', '--role', 'viewer');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('TOKEN_EXISTS')]);
  expect((await cli.here('auth', 'token', 'revoke', 'ben')).code).toBe(0);
  const second = await cli.here('auth', 'token', 'revoke', 'ben');
  expect([second.code, second.stderr]).toEqual([4, expect.stringContaining('TOKEN_NOT_FOUND')]);
  expect(await cli.jsonHere('auth', 'token', 'list')).toEqual([]);
});

test('names added at once are all kept', async () => {
  const cli = new Cli();
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => add(cli, name, '--role', 'viewer')));
  const listed = await cli.jsonHere<{ name: string }[]>('auth', 'token', 'list');
  expect(listed.map(({ name }) => name).sort()).toEqual(names);
});

test.each([
  ['a name of two lines', ['two\nlines', '--role', 'viewer']],
  ['a name that begins with a dot', ['.x', '--role', 'viewer']],
  ['a role that does not exist', ['ana', '--role', 'admin']],
  ['no role', ['ana']],
  ['an expiry that is no duration', ['ana', '--role', 'viewer', '--expires', 'soon']],
])('%s is refused as bad usage', async (_, args) => {
  const cli = new Cli();
  const { code, stderr } = await cli.here('auth', 'token', 'add', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('USAGE')]);
});

test.each([
  ['no TOML', 'tokens = [', 0o600],
  [
    'an unknown role',
    `tokens.ana = { role = "root", sha256 = "${'0'.repeat(64)}", createdAt = "2026-11-19T00:00:00Z" }`,
    0o600,
  ],
  [
    'a token in place of its hash',
    'tokens.ana = { role = "viewer", sha256 = "hdl_x", createdAt = "2026-11-19T00:00:00Z" }',
    0o600,
  ],
  ['writable by others', '', 0o666],
])('a file of tokens that is %s is an error, and is not written over', async (_, text, mode) => {
  const cli = new Cli();
  const file = join(cli.home, 'tokens.toml');
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  for (const args of [['list'], ['add', 'ben', '--role', 'viewer']]) {
    const { code, stderr } = await cli.here('auth', 'token', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TOKENS_UNREADABLE')]);
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('HEDDLE_TOKENS_FILE names another file', async () => {
  const cli = new Cli();
  const file = join(cli.cwd, 'secret.toml');
  await cli.hereWith({ env: { HEDDLE_TOKENS_FILE: file } }, 'auth', 'token', 'add', 'ana', '--role', 'viewer');
  expect(readFileSync(file, 'utf8')).toContain('tokens."ana"');
  expect(existsSync(join(cli.home, 'tokens.toml'))).toBe(false);
});

test('the key of a home is for its owner alone, and one that others could read is replaced', () => {
  const cli = new Cli();
  const home = homeOfAnyVersion(cli.env);
  const key = homeKey(home);
  const file = join(home.run, 'console-key');
  expect([homeKey(home), statSync(file).mode & 0o777]).toEqual([key, 0o600]);
  chmodSync(file, 0o640);
  expect(homeKey(home)).not.toBe(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('[server] counts in the own file and the environment, and is an error in a project, trusted or not', async () => {
  const cli = new Cli();
  const own = join(cli.env['XDG_CONFIG_HOME'] ?? '', 'heddle', 'heddle.toml');
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, '[server]\nhost = "localhost"\nlocal = "viewer"\nworkspaces = ["site"]\n');
  expect(await loadServerSettings(cli.env)).toMatchObject({
    host: '127.0.0.1',
    port: 7880,
    isPortGiven: false,
    local: 'viewer',
    workspaces: [join(dirname(own), 'site')],
  });
  const given = { HEDDLE_SERVER_PORT: '7999', HEDDLE_SERVER_HOST: '::1', HEDDLE_PUBLIC_URL: 'https://h.example.org/' };
  expect(await loadServerSettings({ ...cli.env, ...given }, { port: 8000 })).toMatchObject({
    host: '::1',
    port: 8000,
    isPortGiven: true,
    publicUrl: 'https://h.example.org',
  });
  writeFileSync(join(cli.cwd, 'heddle.toml'), 'maxAttempts = 3\n[server]\nhost = "0.0.0.0"\n');
  for (const env of [{}, { HEDDLE_TRUST: '1' }]) {
    const { code, stderr } = await cli.hereWith({ env }, 'config');
    expect([code, stderr]).toEqual([2, expect.stringContaining('A project cannot set `server`')]);
    expect(stderr).toContain('heddle.toml:2');
  }
  writeFileSync(join(cli.cwd, 'heddle.toml'), '');
  const flag = await cli.here('config', '-c', 'server.port=1');
  expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining('CONFIG_FLAG_INVALID')]);
});

test.each([
  'host = "example.org"',
  'port = 0',
  'publicUrl = "heddle.example.org"',
  'publicUrl = "https://x.org/path"',
  'local = "admin"',
])('[server] with %s is refused', async (line) => {
  const cli = new Cli({ HEDDLE_CONFIG: join('/tmp', `heddle-server-${process.pid}.toml`) });
  writeFileSync(cli.env['HEDDLE_CONFIG'] ?? '', `[server]\n${line}\n`);
  await expect(loadServerSettings(cli.env)).rejects.toMatchObject({ code: 'CONFIG_WRONG_TYPE' });
});
