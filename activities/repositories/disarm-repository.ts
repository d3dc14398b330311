import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';

import { formatSettings, parseSettings, splitSettings, type GitSetting } from '../../domain/workspace/git-settings.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findOwnProgram, ownPath } from '../programs/own-programs.ts';
import type { HeldFolder } from '../tools/confine/held-folder.ts';
import { gitProcess } from '../workspace/git/git-process.ts';
import type { PathKey } from '../workspace/git/path-key.ts';
import { hooksFolder, settingsFiles, type RepositoryFacts } from './read-repository.ts';

export interface DisarmPlace {
  workspace: string;
  /** The PATH on which git is looked for. */
  path: string;
  /** Tells whether a path in the workspace is a repository whose own settings are looked at. */
  isKnown: (path: PathKey) => boolean;
}

/** Takes out of a repository that a command made or changed what git would run, and keeps all that was there before. Returns the names. */
export async function disarmRepository(
  folder: HeldFolder,
  path: PathKey,
  now: RepositoryFacts,
  before: RepositoryFacts | undefined,
  place: DisarmPlace,
): Promise<string[]> {
  const removed: string[] = [];
  for (const name of settingsFiles) {
    const [text, old] = [now.settings[name], before?.settings[name]];
    if (text !== undefined && text !== old) removed.push(...(await cleanSettings(folder, name, { text, old }, place)));
  }
  for (const [name, stamp] of Object.entries(now.hooks)) {
    if (before?.hooks[name] === stamp) continue;
    if (name === hooksFolder) await putAside(folder, 'hooks');
    else await putHookAside(folder, name);
    removed.push(name === hooksFolder ? 'hooks' : `hooks/${name}`);
  }
  if (now.common !== undefined && now.common !== before?.common && !isKnownCommon(path, now.common, place)) {
    await putAside(folder, 'commondir');
    removed.push('commondir');
  }
  return removed;
}

/** It stays where it is, under a name that git does not use and nobody else has. */
export async function putAside(folder: HeldFolder, name: string): Promise<void> {
  await makeWritable(folder);
  await rename(folder.at(name), folder.at(`${name}.disabled-${randomBytes(4).toString('hex')}`));
}

/** A command may have closed it to its owner, who is the one that git runs as. */
async function makeWritable(folder: HeldFolder): Promise<void> {
  const { mode } = await stat(folder.path);
  if ((mode & 0o300) !== 0o300) await chmod(folder.path, (mode & 0o777) | 0o700);
}

async function putHookAside(folder: HeldFolder, name: string): Promise<void> {
  const hooks = await folder.openInside('hooks');
  try {
    await putAside(hooks, name);
  } finally {
    await hooks.close();
  }
}

/** A worktree names the repository that it belongs to by the folders above it, where no link can lead elsewhere. */
function isKnownCommon(path: PathKey, common: string, { isKnown }: DisarmPlace): boolean {
  const named = common.replace(/\n$/, '');
  return /^\.\.(?:\/\.\.)*$/.test(named) && isKnown(posix.join(path, named));
}

async function cleanSettings(
  folder: HeldFolder,
  name: string,
  { text, old }: { text: string | null; old: string | null | undefined },
  place: DisarmPlace,
): Promise<string[]> {
  const [settings, known] = [await readSettings(text, place), await readSettings(old ?? '', place)];
  const { kept, removed } =
    settings === undefined ? { kept: known ?? [], removed: [name] } : splitSettings(settings, known ?? []);
  if (removed.length === 0) return [];
  await makeWritable(folder);
  const temporary = folder.at(`${name}.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(temporary, formatSettings(kept), { encoding: 'latin1', flag: 'wx', mode: 0o644 });
    await rename(temporary, folder.at(name));
  } finally {
    await rm(temporary, { force: true });
  }
  return removed;
}

/** By git itself, of the text alone: it runs nothing and follows no include. Undefined: it cannot read it. */
async function readSettings(text: string | null, { workspace, path }: DisarmPlace): Promise<GitSetting[] | undefined> {
  if (text === null) return undefined;
  if (text.trim() === '') return [];
  const end = await gitProcess({
    program: findOwnProgram('git', { path, workspace }),
    args: ['config', '--file', '-', '--no-includes', '--list', '-z'],
    cwd: '/',
    env: { PATH: ownPath(path, workspace), LC_ALL: 'C', HOME: '/', GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: '/dev/null' },
    stdin: Buffer.from(text, 'latin1'),
    patience: activityLimits.repositories.readTimeout,
    outputBytes: 4 * activityLimits.repositories.settingsBytes,
  });
  if (end.how !== 'ended' || end.code !== 0) return undefined;
  return parseSettings(Buffer.from(end.stdout).toString('latin1'));
}
