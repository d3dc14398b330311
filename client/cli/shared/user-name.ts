import { userInfo } from 'node:os';

/** Who answers, as the system knows the person; a container may know nobody. */
export function userName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? env['LOGNAME'] ?? 'someone';
  }
}
