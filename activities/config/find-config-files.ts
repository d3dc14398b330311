import { lstat, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { userHome } from '../system/user-home.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The name of the file, in a project and for a user. */
export const configFile = 'heddle.toml';

/** `HEDDLE_CONFIG`, else the XDG place. `named` when somebody asked for that very file: then it has to be there. */
export function userConfigFile(env: Environment): { path: string; named: boolean } {
  const chosen = env['HEDDLE_CONFIG'];
  if (chosen !== undefined && chosen !== '') return { path: resolve(chosen), named: true };
  const xdg = env['XDG_CONFIG_HOME'];
  const fallback = join(userHome(env), '.config');
  const folder = xdg !== undefined && isAbsolute(xdg) ? xdg : fallback;
  return { path: join(folder, 'heddle', configFile), named: false };
}

/** The nearest `heddle.toml` from a folder upwards, at most up to the root of its repository. */
export async function projectConfigFile(folder: string): Promise<string | undefined> {
  let place = resolve(folder);
  for (;;) {
    const file = join(place, configFile);
    if (await isThere(file)) {
      if (place === resolve(folder) || (await isOurs(file))) return file;
    }
    if (dirname(place) === place || (await isThere(join(place, '.git')))) return undefined;
    place = dirname(place);
  }
}

/** Also as a link that leads nowhere: its reader reports that, so that no task runs without its rules. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** In folders above the workspace, such as `/tmp`, others may leave a file that would run their programs as us, or a link to one of ours. */
async function isOurs(file: string): Promise<boolean> {
  const link = await lstat(file);
  const { uid } = await stat(file).catch(() => link);
  return process.getuid === undefined || [link.uid, uid].every((owner) => owner === process.getuid?.() || owner === 0);
}
