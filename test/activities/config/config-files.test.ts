// Which files say something: the user's, and the nearest of the project, and none that somebody else put above it.
import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfigFiles } from '../../../activities/config/read-config.ts';
import { resolveTaskConfig } from '../../../activities/config/resolve-task-config.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-config-')));
  // The search ends here, whatever lies in the folders above.
  mkdirSync(join(folder, '.git'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, text = ''): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

async function listFiles(workspace: string, env: Record<string, string> = {}): Promise<string[]> {
  mkdirSync(join(folder, workspace), { recursive: true });
  const files = await readConfigFiles({ env: { HOME: folder, ...env }, folder: join(folder, workspace) });
  return files
    .filter(({ layer }) => layer !== undefined)
    .map(({ kind, path }) => `${kind} ${path.slice(folder.length + 1)}`);
}

describe("the project's file", () => {
  test('is the nearest one from the workspace upwards', async () => {
    write('heddle.toml');
    expect(await listFiles('a/b')).toEqual(['project heddle.toml']);
    write('a/heddle.toml');
    expect(await listFiles('a/b')).toEqual(['project a/heddle.toml']);
  });

  test('is not looked for above the repository of the workspace', async () => {
    write('heddle.toml');
    mkdirSync(join(folder, 'repo', '.git'), { recursive: true });
    expect(await listFiles('repo/src')).toEqual([]);
    write('repo/heddle.toml');
    expect(await listFiles('repo/src')).toEqual(['project repo/heddle.toml']);
  });

  test.runIf(process.getuid?.() === 0)('of somebody else counts only in the workspace itself', async () => {
    chownSync(write('heddle.toml'), 65_534, 65_534);
    expect(await listFiles('a')).toEqual([]);
    chownSync(write('a/heddle.toml'), 65_534, 65_534);
    expect(await listFiles('a')).toEqual(['project a/heddle.toml']);
  });

  test.runIf(process.getuid?.() === 0)('is not what a link of somebody else leads to', async () => {
    symlinkSync(write('mine.toml'), join(folder, 'heddle.toml'));
    expect(await listFiles('a')).toEqual(['project heddle.toml']);
    lchownSync(join(folder, 'heddle.toml'), 65_534, 65_534);
    expect(await listFiles('a')).toEqual([]);
  });

  test.each(['nowhere.toml', 'heddle.toml'])('that is a link to %s is not passed over', async (target) => {
    symlinkSync(target, join(folder, 'heddle.toml'));
    const refused = { code: 'CONFIG_NOT_READABLE', where: join(folder, 'heddle.toml') };
    await expect(listFiles('.')).rejects.toMatchObject(refused);
    await expect(listFiles('a/b')).rejects.toMatchObject(refused);
  });
});

describe("the user's file", () => {
  test('is in the XDG folder, or where HEDDLE_CONFIG says', async () => {
    write('.config/heddle/heddle.toml');
    expect(await listFiles('w')).toEqual(['user .config/heddle/heddle.toml']);
    write('xdg/heddle/heddle.toml');
    expect(await listFiles('w', { XDG_CONFIG_HOME: join(folder, 'xdg') })).toEqual(['user xdg/heddle/heddle.toml']);
    expect(await listFiles('w', { XDG_CONFIG_HOME: 'relative' })).toEqual(['user .config/heddle/heddle.toml']);
    write('mine.toml');
    expect(await listFiles('w', { HEDDLE_CONFIG: join(folder, 'mine.toml') })).toEqual(['user mine.toml']);
    expect(await listFiles('w', { HEDDLE_CONFIG: '' })).toEqual(['user .config/heddle/heddle.toml']);
  });

  test('that is also the nearest of the project is read once', async () => {
    write('heddle.toml', 'maxAttempts = 2\n');
    expect(await listFiles('w', { HEDDLE_CONFIG: join(folder, 'heddle.toml') })).toEqual(['user heddle.toml']);
  });

  test('is the one of the starter when it names it, also when that is not there', async () => {
    write('.config/heddle/heddle.toml', 'maxAttempts = 2\n');
    const env = { HOME: folder };
    const attempts = async (userFile: string): Promise<number | undefined> =>
      (await resolveTaskConfig({ config: { userFile } }, { env, workspace: folder, root: join(folder, 'home') })).values
        .maxAttempts;
    expect(await attempts(write('other.toml', 'maxAttempts = 3\n'))).toBe(3);
    expect(await attempts(join(folder, 'none.toml'))).toBe(8);
  });
});
