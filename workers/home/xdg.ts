import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The XDG rules: a value that is empty or relative counts as unset. */
export function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const value = env[variable];
  if (value !== undefined && isAbsolute(value)) return resolve(value);
  const home = env['HOME'];
  return join(home !== undefined && isAbsolute(home) ? home : homedir(), fallback);
}

/** The cache of every home of this user. */
export const sharedCacheFolder = (env: Environment): string =>
  join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'heddle');
