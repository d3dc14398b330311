// Folders that programs fill: what snapshots leave out of them, what they take in all the same, and what is told of the rest.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { generatedNames, listGeneratedAbove } from '../../../domain/workspace/generated-folders.ts';
import { workspaceFiles } from '../../../activities/home/home-layout.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { compareLeftFiles } from '../../../activities/workspace/reuse/compare-left-files.ts';
import { openRepository } from '../../../activities/workspace/snapshots/snapshots.ts';
import { mergeWorktree } from '../../../activities/workspace/worktree/merge-worktree.ts';
import { openWorktree } from '../../../activities/workspace/worktree/worktree.ts';
import { fingerprint, git, makeWorkspace, write, type WorkspaceRig } from './support.ts';

async function filled(): Promise<WorkspaceRig> {
  const rig = await makeWorkspace();
  write(rig.at('index.js'), 'one\n');
  write(rig.at('node_modules/a/index.js'), 'a\n');
  write(rig.at('packages/p/index.js'), 'p\n');
  write(rig.at('packages/p/dist/p.js'), 'built\n');
  return rig;
}

const paths = (files: readonly { path: string }[]): string[] => files.map(({ path }) => path);

test('lists the generated folders above a path, the topmost first', () => {
  expect(listGeneratedAbove('a/dist/b/node_modules/c')).toEqual(['a/dist', 'a/dist/b/node_modules']);
  expect(listGeneratedAbove('dist')).toEqual(['dist']);
  expect(listGeneratedAbove('distribution/constructor/toString')).toEqual([]);
});

test('the page of the workspace names each of them, and how far Heddle looks', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/workspace.md'), 'utf8');
  for (const name of generatedNames) expect(page).toContain(`\`${name}\``);
  const { generatedEntries } = activityLimits.workspace;
  expect(page).toContain(`the first ${generatedEntries.toLocaleString('en')} entries`);
});

describe('a snapshot', () => {
  test('holds no file of a generated folder, wherever it is', async () => {
    const rig = await filled();
    for (const name of generatedNames) write(rig.at(`deep/${name}/file`), 'x');
    await rig.run('a', () => write(rig.at('new'), 'n'));
    const { gitDir } = openRepository(rig.parts, rig.workspace);
    const held = git(rig.workspace, '--git-dir', gitDir, 'ls-files').trim().split('\n');
    expect(held).toEqual(['index.js', 'new', 'packages/p/index.js']);
  });

  test('holds a file or link of such a name', async () => {
    const rig = await filled();
    await rig.run('a', () => {
      write(rig.at('build'), 'a script\n');
      symlinkSync('packages', rig.at('dist'));
    });
    expect(paths((await rig.diff()).diff.files)).toEqual(['build', 'dist']);
  });

  test('holds a folder that the user’s own rules take in', async () => {
    const rig = await filled();
    write(rig.at('packages/.gitignore'), '!dist/\n');
    await rig.run('a', () => write(rig.at('packages/p/dist/p.js'), 'again\n'));
    const { diff } = await rig.diff();
    expect([paths(diff.files), diff.outside]).toEqual([['packages/p/dist/p.js'], []]);
  });

  test('sees a change deep in a large folder only where a folder near its top changed', async () => {
    const rig = await filled();
    for (let index = 0; index < activityLimits.workspace.generatedEntries; index += 1)
      write(rig.at(`node_modules/b-${index}/lib/f`), 'x');
    await rig.run('a', () => write(rig.at('node_modules/new/index.js'), 'n'));
    await rig.run('b', () => write(rig.at('node_modules/b-1999/lib/f'), 'longer'));
    expect((await rig.diff('a')).diff.outside).toEqual([{ path: 'node_modules', why: 'generated' }]);
    expect((await rig.diff('b')).diff.outside).toEqual([]);
  }, 60_000);
});

describe('undo', () => {
  test('leaves a generated folder that changed, and names it', async () => {
    const rig = await filled();
    const modules = fingerprint(rig.at('node_modules'));
    await rig.run('a', () => {
      write(rig.at('index.js'), 'two\n');
      write(rig.at('packages/p/dist/p.js'), 'rebuilt\n');
      write(rig.at('packages/q/.venv/lib/x.py'), 'x\n');
    });
    const answer = await rig.undo();
    expect(answer.files).toEqual([{ path: 'index.js', action: 'restored' }]);
    expect(answer.outside).toEqual([
      { path: 'packages/p/dist', why: 'generated' },
      { path: 'packages/q/.venv', why: 'generated' },
    ]);
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('rebuilt\n');
    expect(fingerprint(rig.at('node_modules'))).toEqual(modules);
  });

  test('names one that was removed, and one that a person changed is not the task’s', async () => {
    const rig = await filled();
    await rig.run('a', () => rmSync(rig.at('node_modules'), { recursive: true }));
    write(rig.at('packages/p/dist/mine.js'), 'm\n');
    await rig.run('b', () => write(rig.at('new'), 'n'));
    expect((await rig.undo()).outside).toEqual([{ path: 'node_modules', why: 'generated' }]);
  });

  test('does not name caches', async () => {
    const rig = await filled();
    await rig.run('a', () => write(rig.at('packages/__pycache__/x.pyc'), 'x'));
    const answer = await rig.undo();
    expect([answer.files, answer.outside]).toEqual([[], []]);
  });

  test('leaves files that an older version of the snapshots held', async () => {
    const rig = await filled();
    await rig.run('a', () => write(rig.at('node_modules/a/index.js'), 'changed\n'), ['node_modules/a']);
    const { folder, gitDir } = openRepository(rig.parts, rig.workspace);
    writeFileSync(join(gitDir, 'heddle'), '2\n');
    const database = new DatabaseSync(workspaceFiles(folder).journal);
    database.exec("UPDATE metas SET json = json_remove(json, '$.kept', '$.leftOut')");
    database.close();
    write(rig.at('node_modules/a/index.js'), 'by hand\n');
    const answer = await rig.undo();
    expect(answer.outside).toEqual([{ path: 'node_modules', why: 'generated' }]);
    expect(readFileSync(rig.at('node_modules/a/index.js'), 'utf8')).toBe('by hand\n');
  });
});

describe('a generated folder with a tracked file', () => {
  test('is taken in, in the repository of the workspace, and undone exactly', async () => {
    const rig = await filled();
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', 'index.js', 'packages/p/dist/p.js');
    write(rig.at('packages/p/dist/other.js'), 'untracked\n');
    const before = fingerprint(rig.workspace);
    await rig.run('a', () => {
      write(rig.at('packages/p/dist/p.js'), 'again\n');
      rmSync(rig.at('packages/p/dist/other.js'));
    });
    expect(paths((await rig.diff()).diff.files)).toEqual(['packages/p/dist/other.js', 'packages/p/dist/p.js']);
    await rig.undo();
    expect(fingerprint(rig.workspace)).toEqual(before);
  });

  test('is taken in where the repository is above the workspace, inside of it, or a linked worktree', async () => {
    const rig = await filled();
    write(rig.at('inner/dist/i.js'), 'i\n');
    git(rig.at('inner'), 'init', '-q');
    git(rig.at('inner'), 'add', '-A');
    const above = join(rig.workspace, '..');
    git(above, 'init', '-q');
    git(above, 'add', 'work/packages/p/dist/p.js');
    renameSync(join(above, '.git'), join(above, 'elsewhere'));
    writeFileSync(join(above, '.git'), `gitdir: ${join(above, 'elsewhere')}\n`);
    await rig.run('a', () => {
      write(rig.at('packages/p/dist/p.js'), 'again\n');
      write(rig.at('inner/dist/i.js'), 'again\n');
      write(rig.at('node_modules/a/index.js'), 'again\n');
    });
    const { diff } = await rig.diff();
    expect(paths(diff.files)).toEqual(['inner/dist/i.js', 'packages/p/dist/p.js']);
    expect(paths(diff.outside)).toEqual(['node_modules']);
  });

  test('stays taken in when its files are tracked no longer', async () => {
    const rig = await filled();
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', 'packages');
    await rig.run('a', () => {
      git(rig.workspace, 'rm', '-rq', '--cached', '--', 'packages');
      write(rig.at('packages/p/dist/p.js'), 'again\n');
    });
    expect(paths((await rig.undo()).files)).toEqual(['packages/p/dist/p.js']);
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('built\n');
  });

  test('is taken in from the moment at which its files are tracked, and what was there before is nobody’s', async () => {
    const rig = await filled();
    git(rig.workspace, 'init', '-q');
    await rig.run('a', () => git(rig.workspace, 'add', 'packages/p/dist'));
    await rig.run('b', () => write(rig.at('packages/p/dist/p.js'), 'again\n'));
    expect((await rig.undo()).files).toEqual([{ path: 'packages/p/dist/p.js', action: 'restored' }]);
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('built\n');
  });

  test('cannot be told where the list of tracked files cannot be read, so it is taken in', async () => {
    const rig = await filled();
    git(rig.workspace, 'init', '-q');
    write(rig.at('.git/index'), 'no index at all');
    await rig.run('a', () => write(rig.at('packages/p/dist/p.js'), 'again\n'));
    expect(paths((await rig.diff()).diff.files)).toEqual(['packages/p/dist/p.js']);
  });

  test('is found without a program or a setting of the user’s repository', async () => {
    const rig = await filled();
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', 'packages');
    git(rig.workspace, 'config', 'core.fsmonitor', 'touch ran; false');
    const before = fingerprint(rig.at('.git'));
    await rig.run('a', () => write(rig.at('packages/p/dist/p.js'), 'again\n'));
    expect(fingerprint(rig.at('.git'))).toEqual(before);
    expect(existsSync(rig.at('ran'))).toBe(false);
  });
});

describe('a generated folder with a deliverable', () => {
  test('is taken in, also for subtasks that do not declare it', async () => {
    const rig = await filled();
    await rig.run('a', () => write(rig.at('packages/p/dist/report.html'), 'r\n'), ['packages/p/dist/report.html']);
    await rig.run('b', () => write(rig.at('packages/p/dist/p.js'), 'again\n'));
    expect(paths((await rig.diff('b')).diff.files)).toEqual(['packages/p/dist/p.js']);
    await rig.undo();
    expect(Object.keys(fingerprint(rig.at('packages')))).toEqual(['/p/dist/p.js', '/p/index.js']);
  });

  test('declared later by another subtask keeps its earlier files, which belong to no subtask', async () => {
    const rig = await filled();
    await rig.start('a');
    write(rig.at('new'), 'n');
    await rig.start('b', ['packages/p/dist']);
    write(rig.at('packages/p/dist/report.html'), 'r\n');
    await rig.end('b', ['packages/p/dist']);
    await rig.end('a');
    const answer = await rig.undo();
    expect(paths(answer.files).sort()).toEqual(['new', 'packages/p/dist/report.html']);
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('built\n');
  });
});

describe('a retry', () => {
  const compare = async (rig: WorkspaceRig): Promise<unknown> => {
    const work = [{ task: 't', subtask: 'a', here: true }];
    return (await compareLeftFiles(rig.parts, { workspace: rig.workspace, work, lineage: ['t'] }))[0];
  };

  test('finds a generated folder that its subtask filled changed, or gone', async () => {
    const rig = await filled();
    await rig.run('a', () => write(rig.at('node_modules/b/index.js'), 'b\n'));
    expect(await compare(rig)).toEqual({ changed: null });
    write(rig.at('node_modules/c/index.js'), 'c\n');
    expect(await compare(rig)).toEqual({ changed: 'node_modules' });
    rmSync(rig.at('node_modules'), { recursive: true });
    expect(await compare(rig)).toEqual({ changed: 'node_modules' });
  });

  test('does not compare one that the user’s rules ignore, nor a cache', async () => {
    const rig = await filled();
    write(rig.at('.gitignore'), 'node_modules\n');
    await rig.run('a', () => {
      write(rig.at('node_modules/b/index.js'), 'b\n');
      write(rig.at('__pycache__/b.pyc'), 'b');
    });
    rmSync(rig.at('node_modules'), { recursive: true });
    rmSync(rig.at('__pycache__'), { recursive: true });
    expect(await compare(rig)).toEqual({ changed: null });
    expect((await rig.diff()).diff.outside).toEqual([{ path: 'node_modules', why: 'generated' }]);
  });
});

describe('a copy for one subtask', () => {
  const owner = (rig: WorkspaceRig) => ({ taskId: 't', subtaskId: 'a', workspace: rig.workspace });
  const open = async (rig: WorkspaceRig, deliverables: string[] = []): Promise<string> =>
    (await openWorktree(rig.parts, owner(rig), deliverables)).folder;
  const merge = (rig: WorkspaceRig, deliverables: string[] = [], attempt = 1) =>
    mergeWorktree(rig.parts, { ...owner(rig), attempt, deliverables });

  test('lacks generated folders, and its merge leaves those of the workspace', async () => {
    const rig = await filled();
    const before = fingerprint(rig.workspace);
    const copy = await open(rig);
    expect(Object.keys(fingerprint(copy))).toEqual(['/index.js', '/packages/p/index.js']);
    write(join(copy, 'new'), 'n');
    expect(await merge(rig)).toEqual({ conflicts: [] });
    const { '/new': made, ...rest } = fingerprint(rig.workspace);
    expect(made).toBeDefined();
    expect(rest).toEqual(before);
    expect((await rig.diff()).diff.outside).toEqual([]);
  });

  test('brings one along that the workspace does not have', async () => {
    const rig = await filled();
    const copy = await open(rig);
    write(join(copy, 'packages/q/dist/q.js'), 'q\n', 0o755);
    symlinkSync('q.js', join(copy, 'packages/q/dist/link'));
    const expected = fingerprint(join(copy, 'packages/q'));
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(fingerprint(rig.at('packages/q'))).toEqual(expected);
    expect((await rig.diff()).diff.outside).toEqual([{ path: 'packages/q/dist', why: 'generated' }]);
  });

  test('names one that did not come along, since the workspace has one', async () => {
    const rig = await filled();
    const copy = await open(rig);
    write(join(copy, 'node_modules/b/index.js'), 'b\n');
    write(join(copy, 'index.js'), 'two\n');
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(Object.keys(fingerprint(rig.at('node_modules')))).toEqual(['/a/index.js']);
    expect((await rig.diff()).diff.outside).toEqual([{ path: 'node_modules', why: 'not-merged' }]);
    expect((await rig.undo()).outside).toEqual([{ path: 'node_modules', why: 'not-merged' }]);
  });

  test('has tracked files of such a folder, and merges them one by one', async () => {
    const rig = await filled();
    write(rig.at('packages/p/dist/q.js'), 'q\n');
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', 'packages');
    const copy = await open(rig);
    write(join(copy, 'packages/p/dist/p.js'), 'again\n');
    write(rig.at('packages/p/dist/theirs.js'), 't\n');
    expect(await merge(rig)).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('again\n');
    expect(Object.keys(fingerprint(rig.at('packages/p/dist'))).sort()).toEqual(['/p.js', '/q.js', '/theirs.js']);
  });

  test('has the folder of a deliverable, and brings it back', async () => {
    const rig = await filled();
    const deliverables = ['packages/p/dist/p.js'];
    const copy = await open(rig, deliverables);
    expect(readFileSync(join(copy, 'packages/p/dist/p.js'), 'utf8')).toBe('built\n');
    write(join(copy, 'packages/p/dist/p.js'), 'again\n');
    expect(await merge(rig, deliverables)).toEqual({ conflicts: [] });
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('again\n');
    await rig.undo();
    expect(readFileSync(rig.at('packages/p/dist/p.js'), 'utf8')).toBe('built\n');
  });

  test('keeps its generated folders when a conflict makes it anew', async () => {
    const rig = await filled();
    const copy = await open(rig);
    write(join(copy, 'node_modules/b/index.js'), 'b\n');
    write(join(copy, 'index.js'), 'mine\n');
    write(rig.at('index.js'), 'theirs\n');
    expect(await merge(rig)).toEqual({ conflicts: ['index.js'] });
    expect(readFileSync(join(await open(rig), 'node_modules/b/index.js'), 'utf8')).toBe('b\n');
  });

  test('is not led out of the workspace by a link above such a folder', async () => {
    const rig = await filled();
    const copy = await open(rig);
    write(join(copy, 'q/dist/q.js'), 'q\n');
    const outside = `${rig.workspace}-outside`;
    mkdirSync(outside);
    symlinkSync(outside, rig.at('q'));
    await merge(rig);
    expect(existsSync(join(outside, 'dist'))).toBe(false);
  });
});
