// Trust on real files: what the home keeps of it, which file it is bound to, and what a worker prepares by it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfigFiles } from '../../../activities/config/read-config.ts';
import { resolveTaskConfig } from '../../../activities/config/resolve-task-config.ts';
import { forgetTrust, saveTrust, loadTrust } from '../../../activities/config/trust-records.ts';
import { trustFile } from '../../../activities/home/home-layout.ts';
import type { FileIdentity, ProjectFile, Trust } from '../../../domain/config/layer.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

let folder = '';
let root = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-trust-')));
  root = join(folder, 'home');
  // The search ends here, whatever lies in the folders above.
  mkdirSync(join(folder, '.git'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const sensitive = '[gates]\nallow = ["shell:npm test"]\n';

function write(path: string, text = sensitive): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

async function projectFileOf(workspace: string): Promise<ProjectFile> {
  const files = await readConfigFiles({
    env: { HOME: join(folder, 'nobody') },
    folder: join(folder, workspace),
    trustOf: (identity) => loadTrust(root, identity),
  });
  const file = files.find(({ kind }) => kind === 'project');
  if (file?.kind !== 'project') throw new Error('there is no file');
  return file;
}

const trustIn = async (workspace: string): Promise<Trust> => (await projectFileOf(workspace)).trust;

describe('the record of a file', () => {
  const one: FileIdentity = { path: '/p/heddle.toml', sha256: '1'.repeat(64) };
  const other: FileIdentity = { ...one, sha256: '2'.repeat(64) };

  test('means this content at this place, until it is taken back', async () => {
    expect(await loadTrust(root, one)).toBe('unknown');
    await saveTrust(root, one);
    expect(await loadTrust(root, one)).toBe('trusted');
    expect(await loadTrust(root, other)).toBe('changed');
    expect(await loadTrust(root, { ...one, path: '/q/heddle.toml' })).toBe('unknown');
    await saveTrust(root, other);
    expect([await loadTrust(root, one), await loadTrust(root, other)]).toEqual(['changed', 'trusted']);
    expect([await forgetTrust(root, one.path), await forgetTrust(root, one.path)]).toEqual([true, false]);
    expect(await loadTrust(root, other)).toBe('unknown');
  });

  test('is for its owner alone, and nothing else is left beside it', async () => {
    const before = process.umask(0);
    try {
      await saveTrust(root, one);
    } finally {
      process.umask(before);
    }
    const file = trustFile(root, one.path);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  test.each<[what: string, content: string]>([
    ['is empty', ''],
    ['was cut', '{"path":"/p/heddle.toml","sha2'],
    ['is no record', 'true'],
    ['has no hash', '{"path":"/p/heddle.toml","at":"2026-11-17T00:00:00.000Z"}'],
    ['has no whole hash', `{"path":"/p/heddle.toml","sha256":"${'1'.repeat(63)}","at":"2026-11-17T00:00:00.000Z"}`],
    [
      'says more than it may',
      `{"path":"/p/heddle.toml","sha256":"${'1'.repeat(64)}","at":"2026-11-17T00:00:00.000Z","any":1}`,
    ],
    [
      'is that of another file',
      `{"path":"/q/heddle.toml","sha256":"${'1'.repeat(64)}","at":"2026-11-17T00:00:00.000Z"}`,
    ],
  ])('that %s never means trust, and the next word heals it', async (_, content) => {
    await saveTrust(root, one);
    writeFileSync(trustFile(root, one.path), content);
    expect(await loadTrust(root, one)).toBe('damaged');
    await saveTrust(root, one);
    expect(await loadTrust(root, one)).toBe('trusted');
  });

  test('in whose place something else is never means trust', async () => {
    mkdirSync(trustFile(root, one.path), { recursive: true });
    expect(await loadTrust(root, one)).toBe('damaged');
    rmSync(root, { recursive: true });
    write('home/trust', 'a file');
    expect(await loadTrust(root, one)).toBe('damaged');
  });

  test('is not lost when many are written at once, and is never seen in part', async () => {
    const many = Array.from({ length: 40 }, (_, n) => ({ ...one, path: `/p${n}/heddle.toml` }));
    const seen: Trust[] = [];
    let writing = true;
    const reader = (async () => {
      while (writing) seen.push(await loadTrust(root, one));
    })();
    await Promise.all(
      [...many, ...Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : other))].map((each) =>
        saveTrust(root, each),
      ),
    );
    writing = false;
    await reader;
    for (const each of many) expect(await loadTrust(root, each)).toBe('trusted');
    expect(seen).not.toContain('damaged');
    expect(readdirSync(join(root, 'trust'))).toHaveLength(41);
  });
});

describe('trust is bound', () => {
  test('to the bytes: any other content, a comment or white space too, asks again', async () => {
    const file = write('p/heddle.toml');
    await saveTrust(root, (await projectFileOf('p')).identity);
    expect(await trustIn('p')).toBe('trusted');
    for (const text of [`${sensitive}\n`, `\uFEFF${sensitive}`, `# a word\n${sensitive}`]) {
      writeFileSync(file, text);
      expect(await trustIn('p')).toBe('changed');
    }
    writeFileSync(file, sensitive);
    expect(await trustIn('p')).toBe('trusted');
  });

  test('to the place: the same bytes in another folder are another file', async () => {
    write('p/heddle.toml');
    await saveTrust(root, (await projectFileOf('p')).identity);
    mkdirSync(join(folder, 'q'));
    copyFileSync(join(folder, 'p/heddle.toml'), join(folder, 'q/heddle.toml'));
    expect(await trustIn('q')).toBe('unknown');
    // A link to what is trusted elsewhere would let a foreign folder borrow its rules.
    rmSync(join(folder, 'q/heddle.toml'));
    symlinkSync(join(folder, 'p/heddle.toml'), join(folder, 'q/heddle.toml'));
    expect(await trustIn('q')).toBe('unknown');
    expect(await trustIn('p')).toBe('trusted');
  });

  test('to the folder itself, by whatever link it is reached', async () => {
    write('p/heddle.toml');
    symlinkSync(join(folder, 'p'), join(folder, 'link'));
    await saveTrust(root, (await projectFileOf('link')).identity);
    expect([await trustIn('p'), await trustIn('link')]).toEqual(['trusted', 'trusted']);
    // A folder that takes the place of the other is trusted as far as its file is the same.
    renameSync(join(folder, 'p'), join(folder, 'away'));
    write('p/heddle.toml', `${sensitive}\n`);
    expect(await trustIn('link')).toBe('changed');
  });

  test('to a file: whoever finds a pipe or a device in its place is not kept waiting', async () => {
    mkdirSync(join(folder, 'p'));
    execFileSync('mkfifo', [join(folder, 'p/heddle.toml')]);
    await expect(projectFileOf('p')).rejects.toMatchObject({ code: 'CONFIG_NOT_READABLE' });
    mkdirSync(join(folder, 'q'));
    symlinkSync('/dev/zero', join(folder, 'q/heddle.toml'));
    await expect(projectFileOf('q')).rejects.toThrow('is not a file');
  });

  test.runIf(process.getuid?.() === 0)("to nobody's name: a file of root or of others needs it too", async () => {
    const file = write('p/heddle.toml');
    for (const owner of [0, 65_534]) {
      chownSync(file, owner, owner);
      expect(await trustIn('p')).toBe('unknown');
    }
  });

  test('and nobody is asked where nothing needs it', async () => {
    write('p/heddle.toml', 'escalationPause = 2\n');
    const file = trustFile(root, join(folder, 'p/heddle.toml'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'damaged');
    chmodSync(file, 0o600);
    expect(await trustIn('p')).toBe('unknown');
  });
});

describe('a worker', () => {
  const codeOf = async (plan: object, env: Record<string, string> = {}): Promise<string> => {
    try {
      const place = { env: { HOME: join(folder, 'nobody'), ...env }, workspace: join(folder, 'p'), root };
      const { values } = await resolveTaskConfig(plan, place);
      return values.gates?.allow?.join() ?? '';
    } catch (error) {
      if (error instanceof HeddleError) return error.code;
      throw error;
    }
  };

  test('uses what its own home trusts', async () => {
    write('p/heddle.toml');
    expect(await codeOf({})).toBe('CONFIG_NOT_TRUSTED');
    const { identity } = await projectFileOf('p');
    await saveTrust(root, identity);
    expect(await codeOf({})).toBe('shell:npm test');
    await forgetTrust(root, identity.path);
    expect(await codeOf({})).toBe('CONFIG_NOT_TRUSTED');
    await saveTrust(root, identity);
    writeFileSync(trustFile(root, identity.path), '');
    expect(await codeOf({})).toBe('TRUST_DAMAGED');
  });

  test('takes the word of the starter for the very file that it reads, and for no other', async () => {
    write('p/heddle.toml');
    const { identity } = await projectFileOf('p');
    const word = (given: object): object => ({ config: { trusted: { ...identity, ...given } } });
    expect(await codeOf(word({}))).toBe('shell:npm test');
    expect(await codeOf(word({ path: join(folder, 'heddle.toml') }))).toBe('CONFIG_NOT_TRUSTED');
    expect(await codeOf(word({ sha256: '0'.repeat(64) }))).toBe('CONFIG_NOT_TRUSTED');
    expect(await codeOf({ config: { trusted: true } })).toBe('CONFIG_NOT_TRUSTED');
    writeFileSync(identity.path, '[gates]\nallow = ["shell:rm"]\n');
    expect(await codeOf(word({}))).toBe('CONFIG_NOT_TRUSTED');
  });

  test('does not trust by its environment', async () => {
    write('p/heddle.toml');
    expect(await codeOf({}, { HEDDLE_TRUST: '1' })).toBe('CONFIG_NOT_TRUSTED');
  });

  test("asks for no trust in the user's file, nor in flags of the starter", async () => {
    write('p/heddle.toml', '');
    const userFile = write('mine.toml');
    expect(await codeOf({ config: { userFile, flags: { gates: { allow: ['shell:ls'] } } } })).toBe(
      'shell:npm test,shell:ls',
    );
  });

  test('needs no trust for what a file denies or wants to be asked about', async () => {
    write('p/heddle.toml', '[gates]\nask = ["git:push"]\ndeny = ["shell:rm"]\n');
    const { values } = await resolveTaskConfig({}, { env: {}, workspace: join(folder, 'p'), root });
    expect(values.gates).toEqual({ allow: [], ask: ['git:push'], deny: ['shell:rm'] });
  });
});
