import { userInfo } from 'node:os';

/** The name of the person who answers, as the system knows it; a container may know none. */
export function userName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? env['LOGNAME'] ?? 'someone';
  }
}
