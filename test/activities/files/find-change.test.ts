// Changes in a folder since a moment: files that were written, made or removed, however deep, and changes that do not count.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChange } from '../../../activities/files/find-change.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-change-'));
  mkdirSync(join(folder, 'a/b/c'), { recursive: true });
  mkdirSync(join(folder, '.git/logs'), { recursive: true });
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'a/b/c/deep.txt'), 'x');
  writeFileSync(join(folder, 'top.txt'), 'x');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string): string => join(folder, path);

async function changedBy(action: () => void, except: string[] = []): Promise<boolean> {
  await sleep(20);
  const since = Date.now();
  await sleep(20);
  action();
  return findChange(folder, { since, except, signal: new AbortController().signal });
}

test.each<[string, boolean, () => void]>([
  ['nothing', false, () => undefined],
  ['a new file', true, () => writeFileSync(at('new.txt'), '')],
  ['a file written deep inside', true, () => writeFileSync(at('a/b/c/deep.txt'), 'y')],
  ['a removed file', true, () => rmSync(at('a/b/c/deep.txt'))],
  ['a renamed file', true, () => renameSync(at('top.txt'), at('other.txt'))],
  ['a new link', true, () => symlinkSync('top.txt', at('a/link'))],
  ['an installed package', true, () => mkdirSync(at('node_modules/a'), { recursive: true })],
  ['a file in a repository', true, () => writeFileSync(at('.git/logs/HEAD'), 'x')],
  [
    'a written file whose time was set back',
    true,
    () => {
      writeFileSync(at('top.txt'), 'y');
      utimesSync(at('top.txt'), 1, 1);
    },
  ],
])('%s: %s', async (_, changed, action) => {
  expect(await changedBy(action)).toBe(changed);
});

test('folders of our own do not count', async () => {
  expect(await changedBy(() => writeFileSync(at('home/log.txt'), 'x'), [at('home')])).toBe(false);
});

test('a folder that is not there has not changed', async () => {
  const signal = new AbortController().signal;
  expect(await findChange(at('gone'), { since: 0, except: [], signal })).toBe(false);
});

test('whoever waits no more ends the search', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(findChange(folder, { since: Infinity, except: [], signal })).rejects.toThrow('stopped');
});
