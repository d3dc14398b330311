/*
 * Tricks that a hostile model might use. Each one is run by a real bash, with an `rm` first in its path that only takes notes: what reaches it
 * with -r or -f, or deletes on another way, has to be asked about.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { tricks } from './cases/tricks.ts';
import { gateFacts } from './support.ts';

let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-tricks-')));
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin', 'rm'), '#!/bin/sh\necho "$*" >> "$NOTES"\n', { mode: 0o755 });
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const aside = new Int32Array(new SharedArrayBuffer(4));

/** A command that is not asked about must not delete recursively or by force. */
function deletes(command: string, number: number): boolean {
  const folder = join(root, `${number}`);
  const notes = join(folder, '.notes');
  mkdirSync(join(folder, 'x', 'y'), { recursive: true });
  writeFileSync(join(folder, 'x', 'f'), 'a\n');
  writeFileSync(join(folder, 'a.txt'), 'b\n');
  spawnSync('bash', ['-c', command], {
    ...{ cwd: folder, timeout: 10_000, stdio: 'ignore' },
    env: {
      ...{ PATH: `${join(root, 'bin')}:/usr/local/bin:/usr/bin:/bin`, HOME: folder, NOTES: notes },
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: root },
    },
  });
  const isDone = (): boolean => {
    const calls = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
    return /(?:^|\s)(?:-[a-zA-Z]*[rRf]|--[rf])/m.test(calls) || !existsSync(join(folder, 'x', 'f'));
  };
  // A program in the background may end later than the shell's end.
  for (let looks = 0; looks < 100 && !isDone(); looks += 1) Atomics.wait(aside, 0, 0, 50);
  return isDone();
}

/** Several tests, so that none is long on a busy machine. */
const groups = [0, 1, 2, 3, 4, 5];

test.each(groups)('every trick really deletes, and is asked about (part %i)', (group) => {
  for (const [number, command] of tricks.entries()) {
    if (number % groups.length !== group) continue;
    expect([command, deletes(command, number)]).toEqual([command, true]);
    expect([command, assessShell(command, gateFacts()).kind]).toEqual([command, 'ask']);
  }
});

test('there are many of them', () => {
  expect(new Set(tricks).size).toBeGreaterThan(150);
});
