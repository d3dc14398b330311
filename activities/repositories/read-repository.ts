import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';

import { activityLimits } from '../limits/activity-limits.ts';
import { sha256 } from '../system/hash-file.ts';
import type { HeldFolder } from '../tools/confine/held-folder.ts';

/** Files of a repository that hold settings. */
export const settingsFiles = ['config', 'config.worktree'] as const;
export type SettingsFile = (typeof settingsFiles)[number];

/** The parts of a repository that say which programs git runs. Two that are equal run the same. */
export interface RepositoryFacts {
  /** The text of each file of settings; null: it is no file, or too long to be one. Missing ones are left out. */
  settings: Partial<Record<SettingsFile, string | null>>;
  /** Hooks by their names, with what tells two states of one apart. */
  hooks: Record<string, string>;
  /** Another place for settings and hooks. */
  common?: string;
}

/** Reads what is there now. Links are never followed. */
export async function readRepositoryFacts(folder: HeldFolder): Promise<RepositoryFacts> {
  const facts: RepositoryFacts = { settings: {}, hooks: await readHooks(folder) };
  for (const name of settingsFiles) {
    const text = await readText(folder, name);
    if (text !== undefined) facts.settings[name] = text;
  }
  const common = await readText(folder, 'commondir');
  if (common !== undefined) facts.common = common ?? '';
  return facts;
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined: there is nothing of the name. Null: something that is no file, or is too long. */
export async function readText(folder: HeldFolder, name: string): Promise<string | null | undefined> {
  const stats = await lstat(folder.at(name)).catch(() => undefined);
  if (stats === undefined) return undefined;
  const handle = await open(folder.at(name), flags).catch(() => undefined);
  if (handle === undefined) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > activityLimits.repositories.settingsBytes) return null;
    return await handle.readFile('latin1');
  } finally {
    await handle.close();
  }
}

/** The path of the hooks itself, where it is no folder, or holds more than are looked at one by one. */
export const hooksFolder = '.';

async function readHooks(folder: HeldFolder): Promise<Record<string, string>> {
  const stats = await lstat(folder.at('hooks')).catch(() => undefined);
  if (stats === undefined) return {};
  if (stats.isSymbolicLink()) return { [hooksFolder]: `link ${await readlink(folder.at('hooks')).catch(() => '')}` };
  if (!stats.isDirectory()) return {};
  const inside = await folder.openInside('hooks').catch(() => undefined);
  if (inside === undefined) return {};
  try {
    const names = (await readdir(inside.path)).filter(isHook).sort();
    if (names.length > activityLimits.repositories.hooks) return { [hooksFolder]: await stampOfMany(inside, names) };
    const hooks: Record<string, string> = {};
    for (const name of names) hooks[name] = await hashHook(inside, name);
    return hooks;
  } finally {
    await inside.close();
  }
}

/** Git runs none that has an ending. */
const isHook = (name: string): boolean => !name.includes('.');

async function hashHook(hooks: HeldFolder, name: string): Promise<string> {
  const text = await readText(hooks, name);
  if (text !== null && text !== undefined) return sha256(text);
  return readTimes(hooks, name);
}

/** Stamps hooks that are too many to be read: their times tell whether one was changed. */
async function stampOfMany(hooks: HeldFolder, names: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  for (const name of names) stamps.push(`${name}:${await readTimes(hooks, name)}`);
  return `many ${sha256(stamps.join('\n'))}`;
}

async function readTimes(hooks: HeldFolder, name: string): Promise<string> {
  const stats = await lstat(hooks.at(name)).catch(() => undefined);
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.ctimeMs}`;
}
