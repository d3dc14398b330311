import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFileContent, readFacts } from '../../../activities/verify/files/read-file.ts';
import { codesOf, VerifyRig } from './rig.ts';

// Deliverables: there, not empty, inside the workspace; and what became of each since the program started.

let rig: VerifyRig;
beforeEach(async () => {
  rig = await VerifyRig.make();
});
afterEach(() => rig.remove());

function makePipe(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
}

test('files and folders with something in them pass', async () => {
  await rig.write({ 'NOTES.md': '# Notes\n', 'site/index.html': '<p>' });
  const verdict = await rig.verify({ deliverables: ['NOTES.md', 'site'] });
  expect(verdict.outcome).toBe('pass');
  expect(verdict.issues).toEqual([]);
});

test('every deliverable that is missing or empty is named', async () => {
  await rig.write({ 'empty.md': '', 'blank.md': ' \n\t\n', 'good.md': 'x' });
  await mkdir(rig.path('folder'));
  const verdict = await rig.verify({
    deliverables: ['gone.md', 'empty.md', 'blank.md', 'folder', 'good.md', 'good.md/below'],
  });
  expect(verdict.outcome).toBe('fail');
  expect(verdict.issues.map((issue) => [issue.code, issue.path])).toEqual([
    ['deliverable-missing', 'gone.md'],
    ['deliverable-empty', 'empty.md'],
    ['deliverable-empty', 'blank.md'],
    ['deliverable-empty', 'folder'],
    ['deliverable-missing', 'good.md/below'],
  ]);
  expect(verdict.issues[0]?.message).toBe('gone.md does not exist; write it.');
});

test.each([
  ['a file', async (outside: string) => writeFile(outside, 'secret')],
  ['a folder', async (outside: string) => mkdir(outside)],
  ['nothing, dangling', () => Promise.resolve()],
])('a symlink that leads outside to %s is deliverable-outside', async (_, make) => {
  const outside = join(rig.base, 'outside');
  await make(outside);
  await symlink(outside, rig.path('direct'));
  await symlink('../../outside', rig.path('relative'));
  await symlink('direct', rig.path('chain'));
  const deliverables = ['direct', 'relative', 'chain', 'chain/below.md'];
  const verdict = await rig.verify({ deliverables });
  expect(codesOf(verdict)).toEqual(deliverables.map(() => 'hard deliverable-outside'));
  expect(verdict.issues[0]?.message).not.toContain(rig.base);
  expect(verdict.issues[0]?.details).toContain(outside);
});

test('a neighbour whose name begins like the workspace is outside', async () => {
  await writeFile(`${rig.workspace}-two`, 'x');
  await symlink('../workspace-two', rig.path('near'));
  const verdict = await rig.verify({ deliverables: ['near', '../workspace-two'] });
  expect(codesOf(verdict)).toEqual(['hard deliverable-outside', 'hard deliverable-outside']);
});

test('symlinks that stay inside are followed, also by a workspace that is a symlink itself', async () => {
  await rig.write({ 'docs/real.md': 'text' });
  await symlink('docs/real.md', rig.path('NOTES.md'));
  await symlink(rig.path('docs'), rig.path('d'));
  await symlink(rig.workspace, join(rig.base, 'door'));
  const input = { deliverables: ['NOTES.md', 'd/real.md', 'd/../docs/real.md', join(rig.base, 'door', 'NOTES.md')] };
  expect((await rig.verify(input)).outcome).toBe('pass');
});

test('a dangling symlink inside, and a loop, are missing deliverables', async () => {
  await symlink('nowhere.md', rig.path('dangling'));
  await symlink('loop', rig.path('loop'));
  expect(codesOf(await rig.verify({ deliverables: ['dangling', 'loop'] }))).toEqual([
    'hard deliverable-missing',
    'hard deliverable-missing',
  ]);
});

test('a named pipe, a socket-like device and an endless file do not hang', async () => {
  makePipe(rig.path('pipe.json'));
  await symlink('/dev/zero', rig.path('zero.json'));
  await mkdir(rig.path('folder'));
  makePipe(rig.path('folder/pipe.json'));
  const verdict = await rig.verify({
    deliverables: ['pipe.json', 'zero.json', 'folder'],
    requiredSections: ['A'],
    rules: [{ pattern: 'x', in: ['**'], must: 'absent', severity: 'hard' }],
  });
  expect(codesOf(verdict)).toEqual(['hard deliverable-missing', 'hard deliverable-outside', 'hard missing-sections']);
});

test('a file that became a pipe or a symlink since it was seen is not opened', async () => {
  makePipe(rig.path('pipe'));
  await rig.write({ 'a.md': 'x' });
  await symlink('a.md', rig.path('link'));
  for (const name of ['pipe', 'link', 'gone']) {
    expect(await readFileContent(rig.path(name), 100)).toEqual({ kind: 'unreadable' });
    expect(await readFacts(rig.path(name), new AbortController().signal)).toBeUndefined();
  }
});

test('a file that may not be read is named as such', async () => {
  // Root reads everything; there is nothing to show then.
  if (process.getuid?.() === 0) return;
  await rig.write({ 'locked/NOTES.md': 'x' });
  execFileSync('chmod', ['000', rig.path('locked')]);
  const verdict = await rig.verify({ deliverables: ['locked/NOTES.md'] });
  execFileSync('chmod', ['755', rig.path('locked')]);
  expect(verdict.issues[0]?.message).toContain('cannot be read');
});

test('states tell what the attempt did, and the lines of text', async () => {
  await rig.write({
    'same.md': 'a\nb\n',
    'edited.md': 'old',
    'deleted.md': 'x',
    'same/a.txt': '1',
    'grown/a.txt': '1',
  });
  const paths = ['same.md', 'edited.md', 'deleted.md', 'new.md', 'binary.png', 'never.md', 'same', 'grown'];
  const before = await rig.stamp(...paths);
  await rig.write({
    'edited.md': '1\n2\n3',
    'new.md': 'line',
    'binary.png': Buffer.from([1, 0, 10]),
    'grown/b.txt': '2',
  });
  execFileSync('rm', [rig.path('deleted.md')]);
  const verdict = await rig.verify({ deliverables: paths, before });
  expect(verdict.files).toEqual([
    { path: 'same.md', state: 'unchanged', lines: 2 },
    { path: 'edited.md', state: 'modified', lines: 3 },
    { path: 'deleted.md', state: 'deleted', lines: 0 },
    { path: 'new.md', state: 'created', lines: 1 },
    { path: 'binary.png', state: 'created', lines: 0 },
    { path: 'never.md', state: 'missing', lines: 0 },
    { path: 'same', state: 'unchanged', lines: 0 },
    { path: 'grown', state: 'modified', lines: 0 },
  ]);
});

test('nothing is left in Heddle’s home but the store', async () => {
  await rig.verify({ verify: ['echo hello'] });
  expect(await readdir(join(rig.home, 'running', 'demo'))).toEqual([]);
});

test('a workspace that is gone is an error for a person, not a verdict', async () => {
  await rename(rig.workspace, `${rig.workspace}-moved`);
  const quiet = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await expect(rig.verify({}, {}, quiet)).rejects.toMatchObject({ type: 'WORKSPACE_NOT_FOUND', nonRetryable: true });
});

test('a home that cannot be written is trouble that may pass, in the system’s words', async () => {
  const root = join(rig.base, 'a-file');
  await writeFile(root, 'where the folder should be');
  const quiet = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await expect(rig.verify({}, { root }, quiet)).rejects.toMatchObject({
    type: 'transient',
    nonRetryable: false,
    message: expect.stringContaining('ENOTDIR') as string,
  });
});
