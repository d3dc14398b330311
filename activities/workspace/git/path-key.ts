/**
 * A path inside a workspace as the key of maps and rows: one character per byte, since names need not be UTF-8.
 * Separated by `/`, relative to the workspace, never empty.
 */
export type PathKey = string;

export const toKey = (path: string): PathKey => Buffer.from(path, 'utf8').toString('latin1');

export const bytesOf = (key: PathKey): Buffer => Buffer.from(key, 'latin1');

/** The place of a path on the disk, as bytes. */
export function diskPath(workspace: string, key: PathKey): Buffer {
  return Buffer.concat([Buffer.from(workspace.endsWith('/') ? workspace : `${workspace}/`), bytesOf(key)]);
}

export function parentOf(key: PathKey): PathKey {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

/** Folders above a path, nearest first. */
export function listAncestors(key: PathKey): PathKey[] {
  const ancestors: PathKey[] = [];
  for (let at = parentOf(key); at !== ''; at = parentOf(at)) ancestors.push(at);
  return ancestors;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined when the name is not UTF-8. */
export function decodePath(key: PathKey): string | undefined {
  try {
    return strict.decode(bytesOf(key));
  } catch {
    return undefined;
  }
}

/** For people and JSON. A name that is not UTF-8 is quoted as git quotes it. */
export function showPath(key: PathKey): string {
  const quoted = (): string => `"${key.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/g, octal)}"`;
  return decodePath(key) ?? quoted();
}

const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
