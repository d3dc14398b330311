import { tmpdir } from 'node:os';

import { userHome } from '../system/user-home.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What every program gets, so that a worker's own variables (keys, tokens) reach nobody by accident. */
export function baseEnvironment(worker: Variables): Record<string, string> {
  return {
    PATH: filled(worker.PATH) ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: filled(worker.HOME) ?? userHome(worker),
    LANG: filled(worker.LANG) ?? 'C.UTF-8',
    TMPDIR: filled(worker.TMPDIR) ?? tmpdir(),
  };
}

/** The variables that a plan names, from the worker's environment; `missing` are those that it does not have. `NAME?` may be missing. */
export function namedVariables(
  worker: Variables,
  names: readonly string[],
): { values: Record<string, string>; missing: string[] } {
  const values: Record<string, string> = {};
  const missing: string[] = [];
  for (const entry of names) {
    const name = entry.replace(/\?$/, '');
    const value = Object.hasOwn(worker, name) ? worker[name] : undefined;
    if (value !== undefined) values[name] = value;
    else if (name === entry) missing.push(name);
  }
  return { values, missing };
}

function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
