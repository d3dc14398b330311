import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { systemCode } from '../system/system-error.ts';

/** The target of a path of a plan, with symlinks followed. `real` never passes through a symlink. */
export type ResolvedPath =
  | { kind: 'file' | 'folder' | 'special' | 'missing' | 'outside'; real: string }
  | { kind: 'unreadable'; real: string; reason: string };

/** As many as Linux follows. */
const maxSymlinks = 40;

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const forbidden = new Set(['EACCES', 'EPERM']);

/**
 * Follows every symlink by hand, since `realpath` cannot say where a dangling one points.
 * `root` is the workspace with its own symlinks resolved.
 */
export async function resolveInWorkspace(root: string, path: string): Promise<ResolvedPath> {
  let real = isAbsolute(path) ? sep : root;
  const rest = splitPath(path);
  let symlinks = 0;
  let reason: string | undefined;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '..') {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const stats = await look(next);
    if (stats === undefined || typeof stats === 'string') {
      reason = stats;
      real = join(next, ...rest);
      break;
    }
    if (!stats.isSymbolicLink()) {
      real = next;
      continue;
    }
    symlinks += 1;
    if (symlinks > maxSymlinks) return { kind: 'missing', real: next };
    const target = await readlink(next).catch((error: unknown) => {
      // Replaced under our eyes: gone, or no link any more.
      if (kindOfError(error) === 'absent' || systemCode(error) === 'EINVAL') return undefined;
      throw error;
    });
    if (target === undefined) return { kind: 'missing', real: next };
    rest.unshift(...splitPath(target));
    if (isAbsolute(target)) real = sep;
  }
  if (!isInside(root, real)) return { kind: 'outside', real };
  if (reason !== undefined) return { kind: 'unreadable', real, reason };
  return { kind: kindOf(await look(real)), real };
}

function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Sorts a file system error: `absent` and `forbidden` are findings, the rest is the machine's trouble. */
export function kindOfError(error: unknown): 'absent' | 'forbidden' | 'other' {
  const code = systemCode(error) ?? '';
  if (absent.has(code)) return 'absent';
  return forbidden.has(code) ? 'forbidden' : 'other';
}

function splitPath(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.');
}

async function look(path: string): Promise<Stats | string | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const kind = kindOfError(error);
    if (kind === 'absent' || path.includes('\0')) return undefined;
    if (kind === 'forbidden') return 'permission denied';
    throw error;
  }
}

function kindOf(stats: Stats | string | undefined): 'file' | 'folder' | 'special' | 'missing' {
  if (stats === undefined || typeof stats === 'string') return 'missing';
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'special';
}
