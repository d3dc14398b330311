import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isBelow, type Mount } from './mount.ts';

type Bind = Extract<Mount, { kind: 'read' | 'write' }>;

/**
 * Entries that say which programs git runs by itself, also for the user, long after the command, and what no diff shows: they can be read and used,
 * and not changed from inside. Submodules have their own settings and hooks in `modules`.
 */
const trusted = ['config', 'config.worktree', 'hooks', 'modules'];

/** Those of them that need not be there, and mean nothing while they are empty: made before, so that no command can make them. */
const placeholders: Readonly<Record<string, 'file' | 'folder'>> = {
  'config.worktree': 'file',
  hooks: 'folder',
  modules: 'folder',
};

/** And in what belongs to a linked worktree alone: where all that is. */
const pointers = ['commondir', 'gitdir'];

/** Folders of a linked worktree's repository that a commit writes into; the rest of it stays as it is. */
const written = ['objects', 'refs', 'logs'];

/** Longer than any path is nothing that git has written. */
const longestPointer = 8_192;

/**
 * The repository of a workspace, so that git works in it: its settings and hooks are read-only. For a worktree that git has linked to a
 * repository elsewhere, that one is seen too. A repository above the workspace is not used.
 */
export async function seeRepository(workspace: string): Promise<Mount[]> {
  const git = join(workspace, '.git');
  const stats = await look(git);
  if (stats?.isDirectory() === true) {
    await makePlaceholders(git);
    return keepTrusted(git);
  }
  if (stats?.isFile() !== true) return [];
  return [{ kind: 'read', at: git, from: git, held: true }, ...(await seeLinked(git))];
}

/** Repositories inside of the workspace's own: settings and hooks cannot be changed or made. A repository that went away is skipped. */
export async function seeNested(repositories: readonly string[]): Promise<Mount[]> {
  const mounts = await Promise.all(
    repositories.map(async (git) => {
      await makePlaceholders(git);
      return keepTrusted(git);
    }),
  );
  return mounts.flat().map((mount) => ({ ...mount, held: 'if-there' }));
}

/** In the folder as it is found, whatever takes its place meanwhile. */
async function makePlaceholders(git: string): Promise<void> {
  const folder = await open(git, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  if (folder === undefined) return;
  try {
    const held = `/proc/self/fd/${folder.fd}`;
    if ((await readlink(held).catch(() => undefined)) !== git) return;
    for (const [name, kind] of Object.entries(placeholders)) {
      const place = join(held, name);
      if ((await look(place)) !== undefined) continue;
      // The command cannot make what cannot be made here.
      if (kind === 'folder') await mkdir(place).catch(() => undefined);
      else
        await open(place, 'wx').then(
          (file) => file.close(),
          () => undefined,
        );
    }
  } finally {
    await folder.close();
  }
}

/**
 * Git takes settings and hooks from the place that this file names. It has no use where the repository is in the workspace, and is removed
 * when a command has made it. Returns what to do when nothing of the command runs any more.
 */
export async function guardRepository(workspace: string): Promise<() => Promise<void>> {
  const elsewhere = join(workspace, '.git', 'commondir');
  if ((await look(elsewhere)) !== undefined) return () => Promise.resolve();
  return () => rm(elsewhere, { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Links are not followed: where one leads is decided by everybody who can write in the workspace. What is mounted by itself cannot be moved away
 * to put another in its place.
 */
async function keepTrusted(git: string, names: readonly string[] = trusted): Promise<Bind[]> {
  const mounts: Bind[] = [{ kind: 'write', at: git, from: git, held: true }];
  for (const name of names) {
    const path = join(git, name);
    const stats = await look(path);
    if (stats?.isFile() === true || stats?.isDirectory() === true)
      mounts.push({ kind: 'read', at: path, from: path, held: true });
  }
  return mounts;
}

/**
 * The file in the workspace is only a hint, since every command may have written it. What counts is that the place which it names points
 * back: outside of the workspace only git, or a person, can have made it so.
 */
async function seeLinked(pointer: string): Promise<Mount[]> {
  const named = await readPointer(pointer, /^gitdir: (.+)\n?$/);
  if (named === undefined) return [];
  const own = await realpath(named).catch(() => undefined);
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return [];
  const back = await readPointer(join(own, 'gitdir'), /^(.+)\n?$/);
  if (back === undefined || (await realpath(back).catch(() => undefined)) !== pointer) return [];
  const common = dirname(dirname(own));
  if (isBelow(common, pointer) || !(await isRepository(common))) return [];
  const mounts: Mount[] = [{ kind: 'read', at: common, from: common, held: true }];
  for (const name of written) {
    const path = join(common, name);
    if ((await look(path))?.isDirectory() === true) mounts.push({ kind: 'write', at: path, from: path, held: true });
  }
  await makePlaceholders(own);
  return [...mounts, ...(await keepTrusted(own, [...trusted, ...pointers]))];
}

async function isRepository(folder: string): Promise<boolean> {
  const [head, objects] = await Promise.all([look(join(folder, 'HEAD')), look(join(folder, 'objects'))]);
  return head?.isFile() === true && objects?.isDirectory() === true;
}

/** The path that a file of git names, absolute. */
async function readPointer(file: string, form: RegExp): Promise<string | undefined> {
  const stats = await look(file);
  if (stats?.isFile() !== true || stats.size > longestPointer) return undefined;
  const path = form.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
  return path === undefined ? undefined : resolve(dirname(file), path);
}

const look = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);
