import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

/** Finds a program that may be run, by the rules of a shell; undefined when there is none. */
export async function findProgram(
  name: string,
  { path, cwd }: { path: string | undefined; cwd: string },
): Promise<string | undefined> {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : (path ?? '').split(delimiter).map((folder) => join(folder === '' ? cwd : folder, name));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      if ((await stat(place)).isFile()) return place;
    } catch {
      // Not here: the next place may have it.
    }
  }
  return undefined;
}
