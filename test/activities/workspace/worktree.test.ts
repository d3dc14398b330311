// A copy of the workspace for one subtask, and its way back: what merges, what conflicts, what a crash in between costs.
import {
  chmodSync,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeWorktree } from '../../../activities/workspace/worktree/merge-worktree.ts';
import { pruneSnapshots } from '../../../activities/workspace/snapshots/prune-snapshots.ts';
import { openWorktree, placeOfWork } from '../../../activities/workspace/worktree/worktree.ts';
import { fingerprint, makeWorkspace, write, type WorkspaceRig } from './support.ts';

const owner = (rig: WorkspaceRig, subtaskId = 'a') => ({ taskId: 't', subtaskId, workspace: rig.workspace });

async function copyOf(rig: WorkspaceRig, subtask = 'a'): Promise<string> {
  return (await openWorktree(rig.parts, owner(rig, subtask))).folder;
}

const merge = (rig: WorkspaceRig, subtask = 'a', deliverables: string[] = [], attempt = 1) =>
  mergeWorktree(rig.parts, { ...owner(rig, subtask), attempt, deliverables });

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;
const long = Array.from({ length: 30 }, (_, index) => `line ${index}`);

async function filled(): Promise<WorkspaceRig> {
  const rig = await makeWorkspace();
  write(rig.at('long.txt'), text(...long));
  write(rig.at('gone.txt'), 'gone');
  write(rig.at('tool.sh'), '#!/bin/sh\n', 0o755);
  write(rig.at('private.txt'), 'private', 0o600);
  write(rig.at('deep/er/file.txt'), 'deep');
  write(rig.at('bytes.bin'), Uint8Array.from([0, 255, 13, 10, 0]));
  symlinkSync('long.txt', rig.at('link'));
  return rig;
}

describe('a copy', () => {
  test('has the bytes, modes and links of the workspace, and no git of it', async () => {
    const rig = await filled();
    write(rig.at('.git/config'), 'the user’s own');
    const copy = await copyOf(rig);
    const { '/.git/config': git, ...files } = fingerprint(rig.workspace);
    expect(git).toBeDefined();
    expect(fingerprint(copy)).toEqual(files);
  });

  test('is the same one until it is merged', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    write(join(copy, 'new.txt'), 'new');
    expect(await copyOf(rig)).toBe(copy);
    expect(existsSync(join(copy, 'new.txt'))).toBe(true);
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(await placeOfWork(rig.parts, { ...owner(rig), attempt: 1 })).toEqual({ kind: 'merged' });
    expect(await placeOfWork(rig.parts, { ...owner(rig), attempt: 2 })).toEqual({ kind: 'missing' });
    expect(existsSync(copy)).toBe(false);
  });
});

describe('what merges', () => {
  test('created, changed, deleted, renamed, executable, linked and binary files come as they are', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    write(join(copy, 'new/folder/file.txt'), 'new');
    write(join(copy, 'bytes.bin'), Uint8Array.from([1, 0, 254]));
    rmSync(join(copy, 'gone.txt'));
    rmSync(join(copy, 'deep'), { recursive: true });
    write(join(copy, 'moved.txt'), 'deep');
    chmodSync(join(copy, 'long.txt'), 0o755);
    rmSync(join(copy, 'link'));
    symlinkSync('moved.txt', join(copy, 'link'));
    const wanted = fingerprint(copy, { folders: true });
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(fingerprint(rig.workspace, { folders: true })).toEqual(wanted);
    expect(readlinkSync(rig.at('link'))).toBe('moved.txt');
  });

  test('different places of one file, and what others did elsewhere, stand side by side', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    write(join(copy, 'long.txt'), text('mine', ...long.slice(1)));
    write(rig.at('long.txt'), text(...long.slice(0, -1), 'theirs'));
    write(rig.at('private.txt'), 'changed meanwhile', 0o640);
    rmSync(rig.at('gone.txt'));
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('long.txt'), 'utf8')).toBe(text('mine', ...long.slice(1, -1), 'theirs'));
    expect(readFileSync(rig.at('private.txt'), 'utf8')).toBe('changed meanwhile');
    expect(statSync(rig.at('private.txt')).mode & 0o777).toBe(0o640);
    expect(existsSync(rig.at('gone.txt'))).toBe(false);
  });

  test('the same change twice is no conflict', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    for (const folder of [copy, rig.workspace]) {
      write(join(folder, 'long.txt'), 'the same');
      write(join(folder, 'both.txt'), 'the same');
      rmSync(join(folder, 'gone.txt'));
    }
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('both.txt'), 'utf8')).toBe('the same');
  });

  test('a deliverable that git ignores comes along; other ignored files do not', async () => {
    const rig = await filled();
    write(rig.at('.gitignore'), 'dist/\n*.log\n');
    const copy = await copyOf(rig);
    write(join(copy, 'dist/app/main.js'), 'built');
    write(join(copy, 'noise.log'), 'noise');
    expect(await merge(rig, 'a', ['dist/app'])).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('dist/app/main.js'), 'utf8')).toBe('built');
    expect(existsSync(rig.at('noise.log'))).toBe(false);
  });

  test('belongs surely to the subtask, and undo takes exactly it away', async () => {
    const rig = await filled();
    const before = fingerprint(rig.workspace);
    const copy = await copyOf(rig);
    await rig.start('other');
    write(join(copy, 'long.txt'), 'mine');
    write(join(copy, 'mine.txt'), 'mine');
    await merge(rig);
    write(rig.at('other.txt'), 'other');
    await rig.end('other');
    expect((await rig.diff('a')).diff.files.map(({ path, sure }) => [path, sure])).toEqual([
      ['long.txt', true],
      ['mine.txt', true],
    ]);
    await rig.undo('a');
    const { '/other.txt': other, ...rest } = fingerprint(rig.workspace);
    expect(other).toBeDefined();
    expect(rest).toEqual(before);
  });
});

describe('very large files', () => {
  const large = 51 * 1024 * 1024;
  const grow = (path: string): void => {
    if (!existsSync(path)) write(path, '');
    truncateSync(path, large);
  };

  test('of the workspace are in no copy, and stay; those that the subtask made, or made of a small one, come along', async () => {
    const rig = await filled();
    grow(rig.at('data.bin'));
    const copy = await copyOf(rig);
    expect(existsSync(join(copy, 'data.bin'))).toBe(false);
    grow(join(copy, 'made.bin'));
    grow(join(copy, 'gone.txt'));
    expect(await merge(rig)).toEqual({ conflicts: [] });
    for (const path of ['data.bin', 'made.bin', 'gone.txt']) expect(statSync(rig.at(path)).size).toBe(large);
  });

  test('against changes of others are a conflict, whoever made them', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    grow(join(copy, 'gone.txt'));
    write(rig.at('gone.txt'), 'theirs');
    write(join(copy, 'long.txt'), 'mine');
    grow(rig.at('long.txt'));
    expect(await merge(rig)).toEqual({ conflicts: ['gone.txt', 'long.txt'] });
    expect(readFileSync(rig.at('gone.txt'), 'utf8')).toBe('theirs');
    expect(statSync(rig.at('long.txt')).size).toBe(large);
  });
});

test('an ignored deliverable that would lead out of the workspace is no pass', async () => {
  const rig = await filled();
  write(rig.at('.gitignore'), 'out\n');
  symlinkSync('/tmp', rig.at('out'));
  const copy = await copyOf(rig);
  write(join(copy, 'out/file.txt'), 'asked for');
  expect(await merge(rig, 'a', ['out/file.txt'])).toEqual({ conflicts: ['out/file.txt'] });
});

describe('a conflict', () => {
  const sides: [what: string, path: string, mine: string | undefined, theirs: string | undefined][] = [
    ['a binary file', 'bytes.bin', 'mi\0ne', 'th\0eirs'],
    ['a deletion of what others changed', 'deep/er/file.txt', undefined, 'theirs'],
    ['a change of what others deleted', 'gone.txt', 'mine', undefined],
    ['one line changed in two ways', 'long.txt', 'mine', 'theirs'],
    ['two new files of one name', 'new.txt', 'mine', 'theirs'],
  ];
  const paths = sides.map(([, path]) => path);
  const put = (path: string, content: string | undefined): void =>
    content === undefined ? rmSync(path) : write(path, content);

  test(`${sides.map(([what]) => what).join(', ')}: the workspace stays as it is`, async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    for (const [, path, mine, theirs] of sides) {
      put(join(copy, path), mine);
      put(rig.at(path), theirs);
    }
    write(join(copy, 'aside.txt'), 'kept');
    write(rig.at('others.txt'), 'others');
    const before = fingerprint(rig.workspace);
    expect(await merge(rig)).toEqual({ conflicts: paths });
    expect(fingerprint(rig.workspace)).toEqual(before);

    // The copy starts from the present state, with what does not conflict kept.
    expect(await copyOf(rig)).toBe(copy);
    expect(fingerprint(copy)).toEqual({ ...before, '/aside.txt': expect.stringContaining('644') as string });
    // The answer was lost and is asked for again: the changes that were refused are not in this copy.
    expect(await merge(rig)).toEqual({ conflicts: paths });
    for (const path of paths) write(join(copy, path), 'settled');
    expect(await merge(rig, 'a', [], 2)).toEqual({ conflicts: [] });
    for (const path of paths) expect(readFileSync(rig.at(path), 'utf8')).toBe('settled');
    expect(existsSync(rig.at('aside.txt'))).toBe(true);
  });

  test('a file where others made a folder', async () => {
    const rig = await filled();
    const copy = await copyOf(rig);
    write(join(copy, 'place'), 'a file');
    write(rig.at('place/inside.txt'), 'a folder');
    expect(await merge(rig)).toEqual({ conflicts: ['place/inside.txt'] });
    expect(readFileSync(join(await copyOf(rig), 'place/inside.txt'), 'utf8')).toBe('a folder');
  });
});

test('a merge that was cut off is done again to the same end', async () => {
  const rig = await filled();
  const copy = await copyOf(rig);
  write(join(copy, 'long.txt'), text('mine', ...long.slice(1)));
  write(join(copy, 'new.txt'), 'new');
  write(rig.at('long.txt'), text(...long.slice(0, -1), 'theirs'));
  // As far as a crash let it come: one file was written, the marks have no end.
  write(rig.at('long.txt'), text('mine', ...long.slice(1, -1), 'theirs'));
  expect(await merge(rig)).toEqual({ conflicts: [] });
  expect(readFileSync(rig.at('long.txt'), 'utf8')).toBe(text('mine', ...long.slice(1, -1), 'theirs'));
  expect(readFileSync(rig.at('new.txt'), 'utf8')).toBe('new');
  expect(await merge(rig)).toEqual({ conflicts: [] });
});

describe('pruning', () => {
  const isOld = (): boolean => true;

  test('forgets the snapshots of ended tasks, and keeps what an open task’s copy was made from', async () => {
    const rig = await filled();
    await rig.run('x', () => write(rig.at('x.txt'), 'x'), [], 'ended');
    const copy = await copyOf(rig);
    await rig.run('y', () => write(rig.at('y.txt'), 'y'), [], 'ended');
    const request = { isOld, openTasks: new Set(['t']) };
    expect(await pruneSnapshots(rig.parts, { ...request, dryRun: true })).toBe(1);
    expect(await pruneSnapshots(rig.parts, { ...request, dryRun: false })).toBe(1);
    expect(await pruneSnapshots(rig.parts, { ...request, dryRun: false })).toBe(0);
    await expect(rig.diff(undefined, 'ended')).rejects.toThrow('no snapshots');
    write(join(copy, 'mine.txt'), 'mine');
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('mine.txt'), 'utf8')).toBe('mine');
  });

  test('leaves young ones alone, and removes all of a workspace that is gone', async () => {
    const rig = await filled();
    await rig.run('x', () => write(rig.at('x.txt'), 'x'), [], 'ended');
    expect(await pruneSnapshots(rig.parts, { isOld: () => false, openTasks: new Set<string>(), dryRun: false })).toBe(
      0,
    );
    rmSync(rig.workspace, { recursive: true });
    expect(await pruneSnapshots(rig.parts, { isOld, openTasks: new Set<string>(), dryRun: false })).toBe(1);
    expect(fingerprint(join(rig.parts.root, 'workspaces'))).toEqual({});
  });
});
