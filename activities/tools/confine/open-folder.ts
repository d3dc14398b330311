import type { HeldFolder } from './held-folder.ts';
import { explain, say, withConfined, type Roots, type Spot } from './open-confined.ts';
import { PathProblem } from './path-problem.ts';
import { systemCode } from '../../system/system-error.ts';

/** Uses a folder that may be read. `path` is as in a `Spot`. */
export function withFolder<T>(
  roots: Roots,
  path: string,
  use: (folder: HeldFolder, path: string) => Promise<T>,
): Promise<T> {
  return withConfined(roots, { path, to: 'read', last: 'follow' }, (spot) =>
    insideOf(spot, (folder) => use(folder, spot.path)),
  );
}

/** The same where the way to it is already held. */
export async function insideOf<T>({ folder, name, path }: Spot, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const inside = await folder.openInside(name).catch((error: unknown) => {
    if (systemCode(error) === 'ENOTDIR') throw new PathProblem('unusable', `${say(path)} is not a folder.`);
    throw explain(error, path);
  });
  try {
    return await use(inside);
  } finally {
    await inside.close();
  }
}
