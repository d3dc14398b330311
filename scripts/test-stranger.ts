/**
 * `npm run test:stranger`: the tests of the walls as a user without any rights. Root starts it: the tree is copied to where that user may
 * read and write, with a home of its own, and goes afterwards.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { heddleHome } from '../workers/home/home.ts';
import { resolveTemporal } from '../workers/server/fetch/resolve-temporal.ts';

const walls = [
  'test/activities/sandbox',
  'test/activities/repositories',
  'test/activities/tools/shell/run-git.test.ts',
  'test/activities/tools/files/confined.test.ts',
  'test/e2e/agent/compromised.test.ts',
  'test/e2e/agent/gate-tricks.test.ts',
  'test/e2e/walls',
];

/** `nobody` of every Linux. */
const stranger = 65_534;
const as = ['setpriv', `--reuid=${stranger}`, `--regid=${stranger}`, '--clear-groups'];

/** Files that are made again, or are of no use to a test. */
const leftOut = new Set(['.git', 'node_modules', 'dist']);

const root = join(import.meta.dirname, '..');

const canRead = (path: string): boolean =>
  spawnSync(as[0] ?? '', [...as.slice(1), 'test', '-r', path], { stdio: 'ignore' }).status === 0;

/** Installed packages are used where they are, unless the stranger cannot read them there. */
function bringModules(tree: string): void {
  const [from, to] = [join(root, 'node_modules'), join(tree, 'node_modules')];
  if (!canRead(join(from, 'vitest', 'package.json'))) {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    return;
  }
  mkdirSync(to);
  // Vitest and the tests write into these, which are the stranger's own.
  const own = /^\.(?:cache|vite|vitest)/;
  for (const name of readdirSync(from)) if (!own.test(name)) symlinkSync(join(from, name), join(to, name));
}

async function runIn(folder: string): Promise<number> {
  const tree = join(folder, 'tree');
  cpSync(root, tree, { recursive: true, verbatimSymlinks: true, filter: (path) => !leftOut.has(basename(path)) });
  bringModules(tree);
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const node = join(programs, 'node');
  const temporal = join(programs, 'temporal');
  copyFileSync(process.execPath, node);
  const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env), onProgress: console.log });
  copyFileSync(path, temporal);
  const home = join(folder, 'home');
  mkdirSync(home);
  spawnSync('chown', ['-R', `${stranger}:${stranger}`, home, tree]);
  chownSync(folder, stranger, stranger);
  for (const program of [node, temporal]) chmodSync(program, 0o755);
  const { PATH = '/usr/bin:/bin', HEDDLE_REQUIRE_SANDBOX, HEDDLE_GATE_TEXTS } = process.env;
  const env = { PATH, HOME: home, LANG: 'C.UTF-8', TEMPORAL_CLI_PATH: temporal };
  const given = process.argv.slice(2);
  const files = given.length === 0 ? walls : given;
  const vitest = [node, 'node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', ...files];
  const { status } = spawnSync(as[0] ?? '', [...as.slice(1), ...vitest], {
    ...{ cwd: tree, stdio: 'inherit' },
    env: {
      ...env,
      ...(HEDDLE_REQUIRE_SANDBOX === undefined ? {} : { HEDDLE_REQUIRE_SANDBOX }),
      ...(HEDDLE_GATE_TEXTS === undefined ? {} : { HEDDLE_GATE_TEXTS }),
    },
  });
  return status ?? 1;
}

if (process.getuid?.() === 0 && spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-stranger-'));
  try {
    process.exitCode = await runIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.error('Only root can become another user, by setpriv: as any other user, `npm test` is this test.');
  process.exitCode = 1;
}
