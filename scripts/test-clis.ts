/**
 * Starts the tests of real agent programs where they can reach nothing but this machine; where that cannot be had, it says so. The programs
 * are those on the PATH; `--install` installs the tested versions of all that npm has into a folder that is removed afterwards.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const isRoot = process.getuid?.() === 0;
const unshare = ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--net'];

/** The versions that docs/agent-clis.md names. */
const tested = [
  '@anthropic-ai/claude-code@2.1.325',
  '@openai/codex@0.166.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
];

function run(command: readonly string[], stdio: 'ignore' | 'inherit', path = process.env['PATH']): number {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { cwd: root, stdio, env: { ...process.env, PATH: path } }).status ?? 1;
}

function testWith(path: string | undefined, args: readonly string[]): number {
  const vitest = [
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'vitest.clis.config.ts',
    ...args,
  ];
  return run([...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...vitest], 'inherit', path);
}

/** Only the installation reaches the registry: the programs themselves run without a network. */
function installAndTest(args: readonly string[]): number {
  const prefix = mkdtempSync(join(tmpdir(), 'heddle-test-clis-'));
  try {
    const install = [
      'npm',
      'install',
      '--global',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      '--silent',
      ...tested,
    ];
    const status = run(install, 'inherit');
    if (status !== 0) return status;
    return testWith(`${join(prefix, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`, args);
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
}

if (run([...unshare, 'sh', '-c', 'ip link set lo up'], 'ignore') === 0) {
  const args = process.argv.slice(2);
  const installs = args.includes('--install');
  const given = args.filter((arg) => arg !== '--install');
  process.exitCode = installs ? installAndTest(given) : testWith(process.env['PATH'], given);
} else {
  console.log(
    'No network namespace can be made here, so no agent program is run. It takes Linux, unshare, ip, and the right to use them.',
  );
}
