import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIdentity } from '../../domain/config/layer.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { sha256 } from '../system/hash-file.ts';
import { isSystemError, systemCode } from '../system/system-error.ts';
import { configFile } from './find-config-files.ts';

/** Largest number and size of the files by which a folder is trusted; a folder with more is not. */
const caps = { files: 1_000, bytes: 16 * 1024 * 1024 };

/**
 * By what a whole folder is trusted: its place, and one hash over all in it that could steer Heddle or its agents (`heddle.toml`,
 * `AGENTS.md`, `.heddle/**`). Any of these that comes, goes or changes makes it another folder.
 */
export async function folderIdentity(folder: string): Promise<FileIdentity> {
  const place = await realpath(folder);
  const left = { ...caps };
  const lines: string[] = [];
  for (const name of [configFile, 'AGENTS.md', '.heddle']) lines.push(...(await describe(place, name, left)));
  return { path: place, sha256: sha256(lines.join('\n')) };
}

/** The same; undefined for a folder that nobody can trust as it is. */
export async function identifyFolder(folder: string): Promise<FileIdentity | undefined> {
  try {
    return await folderIdentity(folder);
  } catch (error) {
    if (error instanceof HeddleError || isSystemError(error)) return undefined;
    throw error;
  }
}

/** One line for each file at or below a name, links as links: what they lead to may change without the folder. */
async function describe(place: string, name: string, left: typeof caps): Promise<string[]> {
  const path = join(place, name);
  const stats = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return [];
  if (stats.isDirectory()) {
    const lines: string[] = [];
    for (const inner of (await readdir(path)).sort()) lines.push(...(await describe(place, join(name, inner), left)));
    return lines;
  }
  left.files -= 1;
  left.bytes -= stats.size;
  if (!stats.isFile() || left.files < 0 || left.bytes < 0) throw notTrustable(path, stats.isFile());
  return [`${JSON.stringify(name)} ${sha256(await readFile(path))}`];
}

const notTrustable = (path: string, tooMuch: boolean): HeddleError =>
  new HeddleError({
    code: 'CONFIG_NOT_READABLE',
    message: tooMuch
      ? `The folder cannot be trusted: its configuration is larger than ${caps.files} files or ${caps.bytes / 1024 / 1024} MB.`
      : 'The folder cannot be trusted: something in its configuration is neither a file nor a folder.',
    where: path,
    hint: 'Remove it, or replace it by a file.',
  });
