import { tmpdir } from 'node:os';

import type { PublicEnvironment } from '../redact/secrets.ts';
import { userHome } from '../system/user-home.ts';

/** The variables that every program gets, so that a worker's own ones (keys, tokens) reach nobody by accident. */
export function baseEnvironment(worker: PublicEnvironment): Record<string, string> {
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
