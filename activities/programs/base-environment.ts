import { tmpdir } from 'node:os';

import { userHome } from '../system/user-home.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that every program gets, so that a worker's own ones (keys, tokens) reach nobody by accident. */
export function baseEnvironment(worker: Variables): Record<string, string> {
  return {
    PATH: filled(worker.PATH) ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: filled(worker.HOME) ?? userHome(worker),
    LANG: filled(worker.LANG) ?? 'C.UTF-8',
    TMPDIR: filled(worker.TMPDIR) ?? tmpdir(),
  };
}

function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
