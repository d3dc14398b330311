// Repositories inside of the workspace are folders with files to a snapshot: nothing of them is run, and no link to one is kept.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../../activities/workspace/snapshots/snapshots.ts';
import { git, link, makeWorkspace, write, type WorkspaceRig } from './support.ts';

/** A repository with a commit, and settings that name a program which leaves a trace. */
function makeArmed(rig: WorkspaceRig, name: string): string {
  const trace = join(rig.parts.root, '..', 'trace');
  write(rig.at('../evil'), `#!/bin/sh\necho ran >> ${trace}\nexit 1\n`, 0o755);
  mkdirSync(rig.at(name), { recursive: true });
  git(rig.at(name), 'init', '-q');
  write(rig.at(`${name}/inner`), 'x');
  git(rig.at(name), 'add', 'inner');
  git(rig.at(name), '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
  git(rig.at(name), 'config', 'core.fsmonitor', rig.at('../evil'));
  return trace;
}

const staged = (rig: WorkspaceRig): string => {
  const { gitDir } = openRepository(rig.parts, rig.workspace);
  return execFileSync('git', ['ls-files', '--stage'], {
    env: { PATH: process.env['PATH'], GIT_DIR: gitDir },
  }).toString();
};

test('an index of an older version that holds a link to a repository is made anew, and the program does not run', async () => {
  const rig = await makeWorkspace();
  write(rig.at('a'), 'one');
  await rig.run('first', () => write(rig.at('b'), 'two'));
  const trace = makeArmed(rig, 'inside');
  const { gitDir } = openRepository(rig.parts, rig.workspace);
  const env = { PATH: process.env['PATH'], GIT_DIR: gitDir, GIT_WORK_TREE: rig.workspace };
  execFileSync('git', ['update-index', '--add', 'inside'], { env, cwd: rig.workspace });
  expect(staged(rig)).toContain('160000');
  writeFileSync(join(gitDir, 'heddle'), '1\n');
  await rig.run('second', () => write(rig.at('inside/inner'), 'changed'));
  expect(staged(rig)).not.toContain('160000');
  expect(existsSync(trace)).toBe(false);
  expect((await rig.diff('second')).patch.toString()).toContain('inside/inner');
  await rig.undo('second');
  expect(readFileSync(rig.at('inside/inner'), 'utf8')).toBe('x');
});

test('a file that became a repository is told as gone, its files as new', async () => {
  const rig = await makeWorkspace();
  write(rig.at('a'), 'one');
  let trace = '';
  await rig.run('agent', () => {
    rmSync(rig.at('a'));
    trace = makeArmed(rig, 'a');
  });
  await rig.run('later', () => write(rig.at('c'), 'x'));
  expect(staged(rig)).not.toContain('160000');
  expect(existsSync(trace)).toBe(false);
  expect((await rig.diff('agent')).diff.files.map(({ path, state }) => [path, state])).toEqual([
    ['a', 'deleted'],
    ['a/inner', 'created'],
  ]);
});

test('names that git takes into no index, or that other systems take for its own, fail no snapshot', async () => {
  const rig = await makeWorkspace();
  const odd = ['git~1/x', '.git ', '.git.', '.git::$INDEX_ALLOCATION', 'a\\.git\\config', '.g\u200cit', 'gi7eba~1'];
  await rig.run('agent', () => {
    for (const name of odd) write(rig.at(name), 'x');
    write(rig.at('.GIT/config'), '[core]\n');
    link(rig.at('.GitModules'), 'elsewhere');
    link(rig.at('gitmod~1'), 'elsewhere');
  });
  const paths = (await rig.diff('agent')).diff.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining([...odd, 'gitmod~1']));
  await rig.undo('agent');
  expect(odd.filter((name) => existsSync(rig.at(name)))).toEqual([]);
});
