// Undo of a task and of a subtask: exact bytes, modes, links; refused with names where it is not known; the user's git untouched.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, git, link, makeWorkspace, refusalOf, write, type WorkspaceRig } from './support.ts';

const oddName = (workspace: string): Buffer =>
  Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0x6e, 0xff, 0xfe])]);

const strange = Buffer.from([0x00, 0xff, 0x0d, 0x0a, 0xfe, 0x0a, 0x00]);

function fill({ at, workspace }: WorkspaceRig): void {
  write(at('changed.txt'), 'one\r\ntwo\n');
  write(at('deleted.bin'), strange);
  write(at('old-name.txt'), 'to be renamed\n');
  write(at('run.sh'), '#!/bin/sh\n', 0o755);
  write(at('private.key'), 'secret\n', 0o600);
  write(at('locked.txt'), 'read only\n', 0o444);
  write(at('empty'), '');
  write(at('deep/er/file'), 'deep\n');
  write(at('becomes-folder'), 'a file\n');
  write(at('becomes-file/a'), 'a\n');
  write(at('becomes-file/b/c'), 'c\n');
  write(at('.gitattributes'), '*.txt text eol=crlf\n*.filtered filter=missing\n$Id$ ident\n');
  write(at('x.filtered'), 'filtered\n');
  write(at('-dash "quoted"\nname'), 'odd\n');
  write(at('untouched.txt'), 'mine\n');
  link(at('to-file'), 'changed.txt');
  link(at('to-folder'), 'deep');
  link(at('dangling'), '/nowhere/at/all');
  link(at('becomes-plain'), 'changed.txt');
  writeFileSync(oddName(workspace), 'not utf-8\n');
}

function ruin({ at, workspace }: WorkspaceRig): void {
  write(at('changed.txt'), 'three\n');
  unlinkSync(at('deleted.bin'));
  renameSync(at('old-name.txt'), at('new-name.txt'));
  chmodSync(at('run.sh'), 0o644);
  chmodSync(at('private.key'), 0o644);
  rmSync(at('locked.txt'), { force: true });
  write(at('empty'), 'no longer\n');
  rmSync(at('deep'), { recursive: true });
  rmSync(at('becomes-folder'));
  write(at('becomes-folder/in/side'), 'x\n');
  rmSync(at('becomes-file'), { recursive: true });
  write(at('becomes-file'), 'a file now\n');
  write(at('x.filtered'), 'changed\n');
  unlinkSync(at('-dash "quoted"\nname'));
  rmSync(at('to-file'));
  link(at('to-file'), 'untouched.txt');
  rmSync(at('to-folder'));
  write(at('to-folder/real'), 'a real folder\n');
  rmSync(at('dangling'));
  rmSync(at('becomes-plain'));
  write(at('becomes-plain'), 'plain\n');
  write(at('made/by/task.txt'), 'new\n');
  write(at('made/program'), '#!/bin/sh\n', 0o755);
  write(at('made/image.bin'), strange);
  link(at('made/link'), '/etc/passwd');
  mkdirSync(at('made/empty/inside'), { recursive: true });
  mkdirSync(at('only-a-folder'));
  unlinkSync(oddName(workspace));
}

describe('undo of a task', () => {
  test('restores created, changed, deleted, renamed, binary, executable, private and linked files, and what changed its kind', async () => {
    const rig = await makeWorkspace();
    fill(rig);
    mkdirSync(rig.at('was-empty'));
    const before = fingerprint(rig.workspace, { folders: true });
    await rig.run('a', () => ruin(rig));
    expect(fingerprint(rig.workspace)).not.toEqual(before);
    const answer = await rig.undo();
    expect(fingerprint(rig.workspace, { folders: true })).toEqual(before);
    expect(answer.files.length).toBeGreaterThan(20);
    expect(answer.files).toContainEqual({ path: 'private.key', action: 'mode' });
    expect(answer.files).toContainEqual({ path: '"n\\377\\376"', action: 'restored' });
    expect((await rig.undo()).files).toEqual([]);
  });

  test('leaves the repository of the user, its index, stash and staged changes byte for byte, and git status as it was', async () => {
    const rig = await makeWorkspace();
    fill(rig);
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', '-A');
    git(rig.workspace, 'commit', '-qm', 'first');
    write(rig.at('changed.txt'), 'stashed\n');
    git(rig.workspace, 'stash', '-q');
    write(rig.at('untouched.txt'), 'staged\n');
    git(rig.workspace, 'add', 'untouched.txt');
    write(rig.at('untouched.txt'), 'and not staged\n');
    const status = git(rig.workspace, 'status', '--porcelain');
    const before = fingerprint(rig.workspace);
    const repository = Object.entries(before).filter(([name]) => name.startsWith('/.git/'));
    await rig.run('a', () => ruin(rig));
    const during = Object.entries(fingerprint(rig.workspace)).filter(([name]) => name.startsWith('/.git/'));
    expect(during).toEqual(repository);
    await rig.undo();
    expect(fingerprint(rig.workspace)).toEqual(before);
    expect(git(rig.workspace, 'status', '--porcelain')).toBe(status);
    expect(git(rig.workspace, 'stash', 'list')).toContain('stash@{0}');
  });

  test('covers several attempts and subtasks, and keeps what the user did in between', async () => {
    const rig = await makeWorkspace();
    write(rig.at('a'), 'a0');
    write(rig.at('b'), 'b0');
    write(rig.at('mine'), 'm0');
    await rig.run('one', () => write(rig.at('a'), 'a1'));
    write(rig.at('mine'), 'm1');
    write(rig.at('b'), 'b-user');
    await rig.run('two', () => {
      write(rig.at('a'), 'a2');
      write(rig.at('b'), 'b1');
      write(rig.at('new'), 'n');
    });
    await rig.undo();
    const { diff } = await rig.diff();
    expect(diff.files).toEqual([]);
    expect(fingerprint(rig.workspace)).toEqual(
      await (async () => {
        const other = await makeWorkspace();
        write(other.at('a'), 'a0');
        write(other.at('b'), 'b-user');
        write(other.at('mine'), 'm1');
        return fingerprint(other.workspace);
      })(),
    );
  });

  test('refuses by name what somebody changed since, changes nothing then, and does it with force', async () => {
    const rig = await makeWorkspace();
    write(rig.at('a'), '0');
    write(rig.at('b'), '0');
    await rig.run('one', () => {
      write(rig.at('a'), '1');
      write(rig.at('b'), '1');
    });
    write(rig.at('b'), 'by hand');
    const before = fingerprint(rig.workspace);
    const refusal = await refusalOf(rig.undo());
    expect(refusal).toMatchObject({ code: 'UNDO_CONFLICT', files: ['b'] });
    expect(refusal?.text).toContain('b was changed by someone else after one');
    expect(fingerprint(rig.workspace)).toEqual(before);
    expect((await rig.undo(undefined, { force: true })).files).toHaveLength(2);
    await rig.run('two', () => write(rig.at('a'), '2'));
    expect((await rig.undo()).files).toEqual([{ path: 'a', action: 'restored' }]);
  });

  test('does not touch what only came into view because a rule changed', async () => {
    const rig = await makeWorkspace();
    write(rig.at('.gitignore'), 'private/\n*.log\n');
    write(rig.at('private/mine'), 'ignored, and mine\n');
    write(rig.at('keep.log'), 'ignored, and mine\n');
    const before = fingerprint(rig.workspace);
    await rig.run('one', () => {
      write(rig.at('.gitignore'), '');
      write(rig.at('new'), 'n');
    });
    const answer = await rig.undo();
    expect(fingerprint(rig.workspace)).toEqual(before);
    expect(answer.outside.map(({ path, why }) => `${path} ${why}`).sort()).toEqual([
      'keep.log was-ignored',
      'private/mine was-ignored',
    ]);
  });

  test('does not remove folders that were there, empty or with nothing but ignored files', async () => {
    const rig = await makeWorkspace();
    write(rig.at('.gitignore'), '*.log\n');
    mkdirSync(rig.at('empty/deeper'), { recursive: true });
    mkdirSync(rig.at('bare'));
    write(rig.at('logs/x.log'), 'x');
    await rig.run('one', () => {
      write(rig.at('empty/new'), 'n');
      write(rig.at('bare/new'), 'n');
      write(rig.at('logs/new'), 'n');
      write(rig.at('made/new'), 'n');
      write(rig.at('made/too.log'), 'n');
    });
    await rig.undo();
    expect(fingerprint(rig.workspace, { folders: true })).toMatchObject({
      '/bare': 'folder',
      '/empty': 'folder',
      '/empty/deeper': 'folder',
      '/logs': 'folder',
      '/made': 'folder',
    });
    expect(existsSync(rig.at('empty/new'))).toBe(false);
    expect(existsSync(rig.at('made/new'))).toBe(false);
  });

  test('never writes through a link that leads out of the workspace, and names what is in the way', async () => {
    const rig = await makeWorkspace();
    const outside = `${rig.workspace}-outside`;
    mkdirSync(outside);
    write(rig.at('d/x'), '0');
    await rig.run('one', () => write(rig.at('d/x'), '1'));
    rmSync(rig.at('d'), { recursive: true });
    symlinkSync(outside, rig.at('d'));
    write(`${outside}/x`, 'not ours');
    const refusal = await refusalOf(rig.undo(undefined, { force: true }));
    expect(refusal).toMatchObject({ code: 'UNDO_CONFLICT', files: ['d'] });
    expect(fingerprint(outside)).toMatchObject({ '/x': expect.any(String) as string });
    rmSync(outside, { recursive: true });
  });

  test('finds what is no plain file: a folder for a link, a link to the outside for a folder, a repository inside; and a dry run only says so', async () => {
    const rig = await makeWorkspace();
    const outside = `${rig.workspace}-outside`;
    write(`${outside}/x`, 'not ours');
    write(rig.at('d/x'), '0');
    link(rig.at('x'), 'nowhere');
    // The files of a repository inside are files, its .git never.
    write(rig.at('inner/file'), '1');
    git(rig.at('inner'), 'init', '-q');
    write(rig.at('inner/more/innermost/file'), '1');
    git(rig.at('inner/more/innermost'), 'init', '-q');
    const look = () => [fingerprint(rig.workspace, { folders: true }), fingerprint(outside)];
    const before = look();
    await rig.run('one', () => {
      rmSync(rig.at('d'), { recursive: true });
      symlinkSync(outside, rig.at('d'));
      rmSync(rig.at('x'));
      write(rig.at('x/in/side'), '1');
      write(rig.at('inner/file'), '2');
      write(rig.at('inner/more/innermost/file'), '2');
      write(rig.at('inner/new'), '2');
    });
    const paths = ['d', 'd/x', 'inner/file', 'inner/more/innermost/file', 'inner/new', 'x', 'x/in/side'];
    expect((await rig.diff()).diff.files.map(({ path }) => path)).toEqual(paths);
    const after = look();
    const dry = await rig.undo(undefined, { dryRun: true });
    expect(dry).toMatchObject({ dryRun: true });
    expect(dry.files).toContainEqual({ path: 'inner/new', action: 'removed' });
    expect(look()).toEqual(after);
    const { files } = await rig.undo();
    expect(files.map(({ path }) => path).sort()).toEqual(paths);
    expect(look()).toEqual(before);
    rmSync(outside, { recursive: true });
  });

  test('sees a folder that took the place of a link when nothing else is new', async () => {
    const rig = await makeWorkspace();
    link(rig.at('x'), 'nowhere');
    await rig.run('one', () => {
      rmSync(rig.at('x'));
      write(rig.at('x/in/side'), '1');
    });
    expect((await rig.diff()).diff.files.map(({ path }) => path)).toEqual(['x', 'x/in/side']);
    await rig.undo();
    expect(fingerprint(rig.workspace, { folders: true })).toEqual({ '/x': 'link nowhere' });
  });

  test('does not overwrite what came back where no snapshot looks', async () => {
    const rig = await makeWorkspace();
    write(rig.at('notes.log'), 'tracked before the rule\n');
    await rig.run('one', () => rmSync(rig.at('notes.log')));
    write(rig.at('.gitignore'), '*.log\n');
    write(rig.at('notes.log'), 'mine, and ignored\n');
    expect(await refusalOf(rig.undo(undefined, { force: true }))).toMatchObject({ files: ['notes.log'] });
  });
});

describe('undo of a subtask', () => {
  test('is exact where it ran alone, or where it alone had declared the file; the rest is as the other left it', async () => {
    const rig = await makeWorkspace();
    write(rig.at('a.txt'), '0');
    write(rig.at('b.txt'), '0');
    write(rig.at('early'), '0');
    await rig.start('a', ['a.txt', 'out/a']);
    write(rig.at('early'), 'by a, alone');
    await rig.start('b', ['b.txt']);
    write(rig.at('a.txt'), '1');
    write(rig.at('out/a/page'), '1');
    write(rig.at('b.txt'), '1');
    await rig.end('a', ['a.txt', 'out/a']);
    await rig.end('b', ['b.txt']);
    const { diff } = await rig.diff('a');
    expect(diff.files.map(({ path, by, sure }) => ({ path, by, sure }))).toEqual([
      { path: 'a.txt', by: ['a'], sure: true },
      { path: 'early', by: ['a'], sure: true },
      { path: 'out/a/page', by: ['a'], sure: true },
    ]);
    await rig.undo('a');
    expect(fingerprint(rig.workspace, { folders: true })).toEqual(
      await expected({ 'a.txt': '0', 'b.txt': '1', early: '0' }),
    );
  });

  test('is refused with names where nobody can tell, and changes nothing then', async () => {
    const rig = await makeWorkspace();
    write(rig.at('a.txt'), '0');
    await rig.start('a', ['a.txt']);
    await rig.start('b');
    write(rig.at('a.txt'), '1');
    write(rig.at('shared'), '1');
    await rig.end('a');
    await rig.end('b');
    const before = fingerprint(rig.workspace);
    const refusal = await refusalOf(rig.undo('a'));
    expect(refusal).toMatchObject({ code: 'UNDO_CONFLICT', files: ['shared'] });
    expect(refusal?.text).toContain('shared was changed by a or b');
    expect(fingerprint(rig.workspace)).toEqual(before);
    const { diff } = await rig.diff();
    expect(diff.files.find(({ path }) => path === 'shared')).toMatchObject({ by: ['a', 'b'], sure: true });
    await rig.undo();
    expect(fingerprint(rig.workspace)).toEqual(await expected({ 'a.txt': '0' }));
  });

  test('is refused where another subtask has changed the file afterwards, which is named', async () => {
    const rig = await makeWorkspace();
    await rig.run('a', () => write(rig.at('f'), '1'));
    await rig.run('b', () => write(rig.at('f'), '2'));
    const refusal = await refusalOf(rig.undo('a'));
    expect(refusal?.text).toContain('f was changed by b after a');
    await rig.undo('b');
    await rig.undo('a');
    expect(fingerprint(rig.workspace)).toEqual({});
  });

  test('narrows by where a declared path leads', async () => {
    const rig = await makeWorkspace();
    mkdirSync(rig.at('real'));
    symlinkSync('real', rig.at('out'));
    const { AttemptSnapshots } = await import('../../../activities/workspace/snapshots/attempt-snapshots.ts');
    const attempt = (subtaskId: string, deliverables: string[]) =>
      new AttemptSnapshots(
        { ...rig.parts, logger: { warn: () => undefined } },
        { taskId: 't', subtaskId, attempt: 1, workspace: rig.workspace, deliverables },
      );
    const [a, b] = [attempt('a', ['out/page']), attempt('b', ['../elsewhere'])];
    await a.start();
    await b.start();
    write(rig.at('real/page'), '1');
    await a.end({ stopping: false });
    await b.end({ stopping: false });
    expect((await rig.diff('a')).diff.files).toMatchObject([{ path: 'real/page', by: ['a'], sure: true }]);
  });

  test('knows a change by another task in the same workspace from its own', async () => {
    const rig = await makeWorkspace();
    await rig.start('a', ['mine'], 't');
    await rig.start('x', [], 'other');
    write(rig.at('mine'), '1');
    write(rig.at('whose'), '1');
    await rig.end('x', [], 'other');
    await rig.end('a', ['mine'], 't');
    const refusal = await refusalOf(rig.undo());
    expect(refusal).toMatchObject({ files: ['whose'] });
    expect(refusal?.text).toContain('a or x of the task other');
  });
});

/** How a workspace with exactly these files looks. */
async function expected(files: Record<string, string>): Promise<Record<string, string>> {
  const rig = await makeWorkspace();
  for (const [path, content] of Object.entries(files)) write(rig.at(path), content);
  return fingerprint(rig.workspace, { folders: true });
}

test('snapshots that cannot be read are an error, never "nothing was changed"', async () => {
  const rig = await makeWorkspace();
  write(join(rig.parts.root, 'workspaces'), 'a file where the folder should be');
  await expect(rig.undo()).rejects.toMatchObject({ code: 'SNAPSHOT_FAILED' });
  await expect(rig.diff()).rejects.toMatchObject({ code: 'SNAPSHOT_FAILED' });
});
