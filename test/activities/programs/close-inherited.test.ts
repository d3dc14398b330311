// A worker may be started with open files and sockets: none of them reaches a program that the worker starts.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./support-inherited.ts', import.meta.url));
const canOpen = process.platform === 'linux' && existsSync('/bin/bash');

test.runIf(canOpen)('descriptors of others are closed for the programs of a worker', () => {
  // Node itself closes those up to 15, and others that follow without a gap.
  const script = 'exec 40</etc/passwd 200</etc/passwd; exec "$@"';
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program];
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', script, 'bash', ...node], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { before, after } = JSON.parse(stdout) as { before: string[]; after: string[] };
  expect(before).toEqual(expect.arrayContaining(['40', '200']));
  expect(after.filter((number) => Number(number) > 3)).toEqual([]);
});
