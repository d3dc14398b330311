// `heddle trust`, and what `config`, `init` and the commands that need nothing of a file say of one that is not trusted. Real files, no server.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { trustFile } from '../../../../activities/home/home-layout.ts';
import { main } from '../../../../client/cli/main.ts';
import { createPorts } from '../../../../workers/ports/create-ports.ts';
import { loadSettings } from '../../../../workers/settings/settings.ts';
import { capture } from './support.ts';

let folder = '';
let project = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-trust-')));
  project = join(folder, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (text: string): void => writeFileSync(join(project, 'heddle.toml'), text);

interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(args: string[], { cwd = project, env = {}, columns = 80 } = {}): Promise<Printed> {
  const [stdout, stderr] = [capture({ columns }), capture()];
  const own = { PATH: process.env['PATH'], HOME: folder, HEDDLE_HOME: join(folder, 'home'), ...env };
  const code = await main(args, { ...createPorts(own, cwd), stdout, stderr });
  return { code, stdout: stdout.text().replaceAll(project, 'P'), stderr: stderr.text().replaceAll(project, 'P') };
}

const address = `http://127.0.0.1:9/${'long/'.repeat(30)}v1`;
const hostile = `maxAttempts = 2
[models.m]
provider = "local"
id = "m"
[providers.local]
kind = "openai-compatible"
baseUrl = "${address}"
keyEnv = "MY_KEY"
[gates]
allow = ["shell:npm test"]
deny = ["shell:rm"]
`;

interface Trusted {
  path: string;
  sha256: string;
  trusted: boolean;
  values: { key: string; value: unknown; place: string }[];
}

interface Shown {
  files: { kind: string; trusted?: boolean }[];
  values: { key: string; value: unknown; trusted?: boolean }[];
}

const json = async <T>(args: string[], given = {}): Promise<T> =>
  JSON.parse((await run([...args, '--json'], given)).stdout) as T;

const isTrusted = async (): Promise<boolean> => (await run(['models'])).code === 0;

describe('heddle trust', () => {
  test('shows all that it trusts, however narrow the terminal is', async () => {
    write(hostile);
    const { code, stdout, stderr } = await run(['trust'], { columns: 40 });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`Trusted P/heddle.toml, until it changes. This has effect from now on:

maxAttempts              P/heddle.toml:1   2
models.m.provider        P/heddle.toml:3   "local"
models.m.id              P/heddle.toml:4   "m"
providers.local.kind     P/heddle.toml:6   "openai-compatible"
providers.local.baseUrl  P/heddle.toml:7   "${address}"
providers.local.keyEnv   P/heddle.toml:8   "MY_KEY"
gates.allow              P/heddle.toml:10  ["shell:npm test"]
`);
    expect(await isTrusted()).toBe(true);
  });

  test('--json has the file, its hash and the values', async () => {
    write(hostile);
    const { path, sha256, trusted, values } = await json<Trusted>(['trust']);
    expect([path, trusted, values.at(-1)]).toEqual([
      'P/heddle.toml',
      true,
      { key: 'gates.allow', value: ['shell:npm test'], place: `P/heddle.toml:10` },
    ]);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is said in a folder below, or through a link, of the same file', async () => {
    write(hostile);
    mkdirSync(join(project, 'src'));
    symlinkSync(project, join(folder, 'link'));
    expect((await run(['trust'], { cwd: join(folder, 'link', 'src') })).code).toBe(0);
    expect(await isTrusted()).toBe(true);
  });

  test('holds until the file changes, or it is taken back', async () => {
    write(hostile);
    await run(['trust']);
    write(`${hostile}# a word\n`);
    expect((await run(['models'])).stderr).toContain('has changed since you trusted it');
    await run(['trust']);
    expect(await isTrusted()).toBe(true);
    expect(await run(['trust', '--revoke'])).toMatchObject({
      code: 0,
      stdout: 'P/heddle.toml is no longer trusted.\n',
    });
    expect(await isTrusted()).toBe(false);
    expect(await run(['trust', '--revoke'])).toMatchObject({ code: 0, stdout: 'P/heddle.toml was not trusted.\n' });
    expect(await json(['trust', '--revoke'])).toEqual({ path: 'P/heddle.toml', trusted: false, wasTrusted: false });
  });

  test('of a file that needs none says so; one that cannot be read is not trusted, but can be distrusted', async () => {
    write('escalationPause = 2\n');
    expect((await run(['trust'])).stdout).toBe(
      'Trusted P/heddle.toml. Its present content has no setting that needs trust.\n',
    );
    write('[gates\n');
    expect(await run(['trust'])).toMatchObject({ code: 2, stdout: '' });
    expect((await run(['trust', '--revoke'])).stdout).toBe('P/heddle.toml is no longer trusted.\n');
  });

  test('heals a record that is damaged, which is refused by its code until then', async () => {
    write(hostile);
    await run(['trust']);
    writeFileSync(trustFile(join(folder, 'home'), join(project, 'heddle.toml')), '{');
    const { code, stderr } = await run(['models', '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'TRUST_DAMAGED' } }]);
    expect((await run(['config'])).code).toBe(0);
    await run(['trust']);
    expect(await isTrusted()).toBe(true);
  });

  test('two at once lose nothing', async () => {
    write(hostile);
    const others = ['a', 'b', 'c'].map((name) => join(folder, name));
    for (const other of others) {
      mkdirSync(join(other, '.git'), { recursive: true });
      writeFileSync(join(other, 'heddle.toml'), hostile);
    }
    const printed = await Promise.all([project, ...others].map((cwd) => run(['trust'], { cwd })));
    expect(printed.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    for (const cwd of [project, ...others]) expect((await run(['models'], { cwd })).code).toBe(0);
  });

  test('writes nothing that a terminal obeys', async () => {
    write('[gates]\nallow = ["shell:ls\\u001b[2K\\u202ehidden"]\n');
    expect((await run(['trust'])).stdout).not.toMatch(/[\u001b\u202e]/);
  });

  test('is refused with a code where the home takes nothing', async () => {
    write(hostile);
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home', 'trust'), 'a file');
    const { code, stderr } = await run(['trust', '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'HOME_NOT_WRITABLE' } }]);
  });
});

describe('a folder without a heddle.toml', () => {
  const record = (): string => readFileSync(trustFile(join(folder, 'home'), project), 'utf8');

  test('is trusted by its place and by what is in it that could steer an agent, until that is taken back', async () => {
    const { path, trusted, sha256 } = await json<Trusted>(['trust']);
    expect([path, trusted]).toEqual(['P', true]);
    expect(JSON.parse(record())).toMatchObject({ path: project, sha256 });
    writeFileSync(join(project, 'AGENTS.md'), 'Be brief.\n');
    const second = await json<Trusted>(['trust']);
    mkdirSync(join(project, '.heddle', 'deep'), { recursive: true });
    writeFileSync(join(project, '.heddle', 'deep', 'process.yaml'), 'name: x\n');
    const third = await json<Trusted>(['trust']);
    writeFileSync(join(project, 'README.md'), 'Of no account.\n');
    const fourth = await json<Trusted>(['trust']);
    expect(new Set([sha256, second.sha256, third.sha256, fourth.sha256]).size).toBe(3);
    expect(await json(['trust', '--revoke'])).toEqual({ path: 'P', trusted: false, wasTrusted: true });
    expect(await json(['trust', '--revoke'])).toEqual({ path: 'P', trusted: false, wasTrusted: false });
  });

  test('is not trusted where a link stands in its configuration', async () => {
    mkdirSync(join(project, '.heddle'));
    symlinkSync('/etc/passwd', join(project, '.heddle', 'x'));
    expect(await run(['trust'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('HEDDLE_TRUST=1', () => {
  test('is for one command, and leaves no trust behind', async () => {
    write(hostile);
    expect((await run(['models'], { env: { HEDDLE_TRUST: '1' } })).code).toBe(0);
    expect(await isTrusted()).toBe(false);
    for (const other of ['0', 'true', '']) {
      expect((await run(['models'], { env: { HEDDLE_TRUST: other } })).code).toBe(2);
    }
  });

  test('is no setting: config neither believes it nor takes it for a misspelt one', async () => {
    write(hostile);
    const { stdout, stderr } = await run(['config', '--json'], { env: { HEDDLE_TRUST: '1' } });
    expect(stderr).toBe('');
    expect((JSON.parse(stdout) as Shown).files).toMatchObject([{ kind: 'user' }, { kind: 'project', trusted: false }]);
  });
});

describe('heddle config', () => {
  test('shows what is not trusted as such', async () => {
    write(hostile);
    const { files, values } = await json<Shown>(['config']);
    expect(files).toMatchObject([{ kind: 'user' }, { kind: 'project', trusted: false }]);
    expect(values.filter(({ trusted }) => trusted === false).map(({ key }) => key)).toEqual([
      'providers.local.kind',
      'providers.local.baseUrl',
      'providers.local.keyEnv',
      'models.m.provider',
      'models.m.id',
      'gates.allow',
      'maxAttempts',
    ]);
    const { code, stdout, stderr } = await run(['config'], { columns: 200 });
    expect(code).toBe(0);
    expect(stdout).toContain('project file: P/heddle.toml (not trusted)\n');
    expect(stdout).toMatch(/^gates\.allow +P\/heddle\.toml:10 +\(not trusted\) \["shell:npm test"\]$/m);
    expect(stdout).toMatch(/^gates\.deny +P\/heddle\.toml:11 +\["shell:rm"\]$/m);
    expect(stderr).toBe(
      'note: settings that are not trusted have no effect: no task is started until you run `heddle trust`.\n',
    );
    await run(['trust']);
    const after = await json<Shown>(['config']);
    expect(after.files).toMatchObject([{ kind: 'user' }, { kind: 'project', trusted: true }]);
    expect(after.values.filter(({ trusted }) => trusted === false)).toEqual([]);
  });

  test("says nothing of trust about a file that needs none, nor about the user's", async () => {
    write('escalationPause = 2\n');
    const mine = join(folder, 'mine.toml');
    writeFileSync(mine, hostile);
    const { files, values } = await json<Shown>(['config'], { env: { HEDDLE_CONFIG: mine } });
    expect([...files, ...values].filter((entry) => 'trusted' in entry)).toEqual([]);
  });
});

test('heddle init trusts what it writes, and only that', async () => {
  await run(['init']);
  const file = join(project, 'heddle.toml');
  const record = JSON.parse(readFileSync(trustFile(join(folder, 'home'), file), 'utf8')) as { path: string };
  expect(record).toMatchObject({ path: file, sha256: (await json<Trusted>(['trust'])).sha256 });
  write(readFileSync(file, 'utf8').replace(/^#(gates\.allow) = \[\]/m, '$1 = ["shell:ls"]'));
  expect((await run(['models'])).stderr).toContain('has changed since you trusted it, and it sets `gates.allow`');
});

test('whoever needs nothing of the file does not ask for trust, nor whether its parts fit', async () => {
  // Without its provider the model fits nothing, and the executor is unfinished: only a task has to know.
  write(`taskQueue = "theirs"\nproject = "ours"\n${hostile}[executors.e]\nkind = "command"\n`);
  const env = { PATH: process.env['PATH'], HOME: folder, HEDDLE_HOME: join(folder, 'home') };
  const ports = createPorts(env, project);
  expect(await ports.resolveProject(project)).not.toBe('ours');
  expect(await ports.connectIfRunning()).toBeUndefined();
  expect(await ports.down()).toBe(false);
  expect(await loadSettings(env, project)).toMatchObject({ taskQueue: 'heddle', idle: 600_000 });
  const checks = await createPorts({ ...env, TEMPORAL_CLI_PATH: inject('temporalPath') }, project).doctor();
  expect(checks.filter(({ name }) => name === 'settings' || name === 'config')).toEqual([]);
  await run(['trust']);
  expect(await ports.resolveProject(project)).toBe('ours');
  expect(await loadSettings(env, project)).toMatchObject({ taskQueue: 'theirs' });
});
