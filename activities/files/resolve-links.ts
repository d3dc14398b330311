import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** As many as Linux follows. */
const maxSymlinks = 40;

/**
 * Resolves a path from a folder by every link on it that exists now, also by one with a missing target. A part that cannot be looked at is
 * taken as it is written. It is synchronous, for callers that decide before anything else happens.
 */
export function resolveLinks(path: string, from: string): string {
  let real = isAbsolute(path) ? sep : resolve(from);
  const rest = splitPath(path);
  let left = maxSymlinks;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '..') {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = left > 0 ? linkAt(next) : undefined;
    if (target === undefined) {
      real = next;
      continue;
    }
    left -= 1;
    rest.unshift(...splitPath(target));
    if (isAbsolute(target)) real = sep;
  }
  return real;
}

const splitPath = (path: string): string[] => path.split(sep).filter((part) => part !== '' && part !== '.');

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
