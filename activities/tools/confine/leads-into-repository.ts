import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Tells whether a path lies in a folder of a repository's form, or would complete one. Git uses such a folder without any `.git`, and runs
 * what its settings name. `path` is relative to the workspace and passes through no link.
 */
export async function leadsIntoRepository(workspace: string, path: string): Promise<boolean> {
  const names = path.split('/');
  for (const [depth, next] of names.entries()) {
    if (await isRepositoryWith(join(workspace, ...names.slice(0, depth)), next)) return true;
  }
  return false;
}

/** `added` is an entry that may not be there yet. */
async function isRepositoryWith(folder: string, added: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> =>
    added.toLowerCase() === name.toLowerCase() || (await exists(join(folder, name)));
  if (!(await has('HEAD'))) return false;
  return (await has('commondir')) || ((await has('objects')) && (await has('refs')));
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
