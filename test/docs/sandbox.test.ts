// The numbers of docs/sandbox.md are those of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activityLimits } from '../../activities/limits/activity-limits.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'sandbox.md'), 'utf8');
const { commands, killGrace } = activityLimits;
const size = (bytes: number): string => (bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GiB` : `${bytes / 2 ** 20} MiB`);

test.each([
  ['time', `${commands.timeout / 60_000} minutes`],
  ['processes at once', String(commands.processes)],
  ['memory of all processes together', `${size(commands.memory)}, at most 3/4 of all`],
  ['output', size(commands.outputBytes)],
  ['size of one file', size(commands.fileBytes)],
  ['open files of a process', commands.openFiles.toLocaleString('en')],
  ['addresses of a process', size(commands.addressSpace)],
  [
    '`/tmp`, home, shared memory',
    [commands.temporaryBytes, commands.homeBytes, commands.sharedBytes].map(size).join(', '),
  ],
])('%s: %s', (what, much) => {
  const row = text.split('\n').find((line) => line.startsWith(`| ${what} `));
  expect(row?.split('|')[2]?.trim()).toBe(much);
});

test('other numbers', () => {
  expect(commands.memoryShare).toBe(0.75);
  expect(size(commands.keptHead + commands.keptTail)).toBe('1 MiB');
  expect(text).toContain(`has ${killGrace / 1_000} seconds to tidy up`);
  expect(text).toContain(`(${1_000 / commands.watchInterval} times a second)`);
});
