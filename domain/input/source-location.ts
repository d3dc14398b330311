export type PlanPlace = { kind: 'inside'; path: string } | { kind: 'workspace' | 'outside' };

/** Absolute in any system's spelling, or in a shell's (`~`, which nobody expands here). */
const absolute = /^(?:[/\\]|[A-Za-z]:[/\\]|~(?:$|[/\\]))/;

/** Where a path of a plan is, by its letters alone; symlinks are looked at when the file is. */
export function placeInWorkspace(path: string): PlanPlace {
  if (absolute.test(path)) return { kind: 'outside' };
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return { kind: 'outside' };
  }
  return parts.length === 0 ? { kind: 'workspace' } : { kind: 'inside', path: parts.join('/') };
}
