import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

let bin: string | undefined;

/**
 * This process's own environment on a machine that has no git: no snapshot of a workspace is taken. Each is a dozen programs, and what
 * they see of attempts is looked at in `test/activities/workspace`.
 */
export function withoutGit(): Record<string, string | undefined> {
  bin ??= makeFolder();
  return { ...process.env, PATH: bin };
}

function makeFolder(): string {
  const made = join(inject('runFolder'), `without-git-${process.pid}`);
  mkdirSync(made);
  const seen = new Set(['git']);
  for (const folder of (process.env['PATH'] ?? '').split(':').filter((path) => existsSync(path)))
    for (const name of readdirSync(folder).filter((each) => !seen.has(each))) {
      seen.add(name);
      symlinkSync(join(folder, name), join(made, name));
    }
  return made;
}
