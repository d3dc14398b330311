import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The user's own folder: `HOME` where it is a path, else what the system has on record. Never a relative path, as `os.homedir()` has it
 * for an empty `HOME`: the current folder is not the user's.
 */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'];
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : '/';
  } catch {
    // A user of a container may have only a number.
    return '/';
  }
}
