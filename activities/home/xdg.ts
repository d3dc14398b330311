import { isAbsolute, join, resolve } from 'node:path';
import { userHome } from '../system/user-home.ts';
import { rootsIn, type HomeRoots } from './home-layout.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG rules: a value that is empty or relative counts as unset. */
export function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const value = env[variable];
  if (value !== undefined && isAbsolute(value)) return resolve(value);
  return join(userHome(env), fallback);
}

/** The cache of every home of this user. */
export const sharedCacheFolder = (env: Environment): string =>
  join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'heddle');

/** Folders of Heddle's state when nobody names a home. */
export const xdgRoots = (env: Environment): HomeRoots => ({
  data: join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'heddle'),
  cache: sharedCacheFolder(env),
  // Not XDG_RUNTIME_DIR: it vanishes at logout, and with it the lock of a service that goes on.
  state: join(xdgFolder(env, 'XDG_STATE_HOME', '.local/state'), 'heddle'),
});

/**
 * Every folder that is Heddle's own: the home of this worker (`root`), that of the environment, the usual ones, and the user's settings.
 * A writer there runs code as the user, so no tool and no command of an agent reaches them, wherever the workspace lies.
 */
export function ownFolders(root: string, env: Environment): string[] {
  const chosen = env['HEDDLE_HOME'];
  const roots = [xdgRoots(env), ...(chosen === undefined || chosen === '' ? [] : [rootsIn(resolve(chosen))])];
  const settings = join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'heddle');
  return [...new Set([root, ...roots.flatMap(({ data, cache, state }) => [data, cache, state]), settings])];
}
