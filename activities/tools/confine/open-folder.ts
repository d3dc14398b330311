import type { HeldFolder } from './held-folder.ts';
import { explain, formatPath, withConfined, type Roots, type ConfinedPath } from './open-confined.ts';
import { PathProblem } from './path-problem.ts';
import { systemCode } from '../../system/system-error.ts';

/** Uses a folder that may be read. `path` is as in a `Spot`. */
export function withFolder<T>(
  roots: Roots,
  path: string,
  use: (folder: HeldFolder, path: string) => Promise<T>,
): Promise<T> {
  return withConfined(roots, { path, to: 'read', last: 'follow' }, (target) =>
    withInside(target, (folder) => use(folder, target.path)),
  );
}

/** The same where the way to it is already held. */
export async function withInside<T>(
  { folder, name, path }: ConfinedPath,
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T> {
  const inside = await folder.openInside(name).catch((error: unknown) => {
    if (systemCode(error) === 'ENOTDIR') throw new PathProblem('unusable', `${formatPath(path)} is not a folder.`);
    throw explain(error, path);
  });
  try {
    return await use(inside);
  } finally {
    await inside.close();
  }
}
