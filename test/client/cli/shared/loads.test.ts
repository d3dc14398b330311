// The modules that a command loads are most of its start: none brings in what it does not use.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const program = join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'heddle.js');

/** Writes the address of every module at the end of the process. */
const listing = `import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const seen = [];
registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) });
process.on('exit', () => writeFileSync(process.env.LOADED, seen.join('\\n')));
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-loads-'));
  writeFileSync(join(folder, 'listing.mjs'), listing);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names of the packages that a command loaded. */
async function packagesOf(...args: string[]): Promise<Set<string>> {
  const loaded = join(folder, 'loaded.txt');
  const env = {
    ...process.env,
    LOADED: loaded,
    HEDDLE_HOME: join(folder, 'home'),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
  };
  const hook = pathToFileURL(join(folder, 'listing.mjs')).href;
  await new Promise((resolve) => {
    execFile(process.execPath, ['--import', hook, program, ...args], { env, cwd: folder }, resolve);
  });
  const names = [...readFileSync(loaded, 'utf8').matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)];
  return new Set(names.map(([, name = '']) => name));
}

test.each([['--version'], ['--help'], ['run', '--help']])(
  '%s loads nothing but its reader of arguments',
  async (...args) => {
    expect(await packagesOf(...args)).toEqual(new Set(['commander']));
  },
);

test.each([['status', 'x'], ['list'], ['inbox'], ['decide', 'x', 'y', 'z'], ['cancel', 'x']])(
  '`%s` loads the client of Temporal, and neither its worker nor what others need',
  async (...args) => {
    const packages = await packagesOf(...args);
    expect(packages).toContain('@temporalio/client');
    for (const heavy of [
      '@temporalio/worker',
      '@temporalio/core-bridge',
      '@clack/prompts',
      'pino',
      'yaml',
      '@babel/parser',
    ])
      expect(packages).not.toContain(heavy);
  },
);
