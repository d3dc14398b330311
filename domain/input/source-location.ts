export type PlanLocation = { kind: 'inside'; path: string } | { kind: 'workspace' | 'outside' };

/** A path that is absolute in any system's or shell's spelling (`~` is not expanded here). */
const absolute = /^(?:[/\\]|[A-Za-z]:[/\\]|~(?:$|[/\\]))/;

/** Locates a path of a plan by its text alone; symlinks are checked when the file is read. */
export function locateInWorkspace(path: string): PlanLocation {
  if (absolute.test(path)) return { kind: 'outside' };
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return { kind: 'outside' };
  }
  return parts.length === 0 ? { kind: 'workspace' } : { kind: 'inside', path: parts.join('/') };
}
