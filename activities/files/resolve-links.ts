import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';

/** As many as Linux follows. */
const maxLinks = 40;

/** Where a path leads from a folder, by every link on it that is there now, whether something is at its end or not: absolute. */
export function resolveLinks(path: string, from: string): string {
  let real: string = sep;
  let links = 0;
  const rest = partsOf(isAbsolute(path) ? path : `${from}${sep}${path}`);
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '..') {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = links < maxLinks ? targetOf(next) : undefined;
    if (target === undefined) {
      real = next;
      continue;
    }
    links += 1;
    rest.unshift(...partsOf(target));
    if (isAbsolute(target)) real = sep;
  }
  return real;
}

/** Undefined: no link, or nothing that can be looked at. */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

const partsOf = (path: string): string[] => path.split(sep).filter((part) => part !== '' && part !== '.');
