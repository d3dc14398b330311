/** Starts the tests of real agent programs where they can reach nothing but this machine; where that cannot be had, it says so. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const isRoot = process.getuid?.() === 0;
const unshare = ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--net'];

function run(command: readonly string[], stdio: 'ignore' | 'inherit'): number | null {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { cwd: root, stdio }).status;
}

if (run([...unshare, 'sh', '-c', 'ip link set lo up'], 'ignore') === 0) {
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.clis.config.ts'];
  const given = [...vitest, ...process.argv.slice(2)];
  process.exitCode = run([...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...given], 'inherit') ?? 1;
} else {
  console.log(
    'No network namespace can be made here, so no agent program is run. It takes Linux, unshare, ip, and the right to use them.',
  );
}
