// `heddle diff` and `heddle undo` on a real service, in a real repository of the user's own.
import { cpSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspaceFolder } from '../../../activities/home/home-layout.ts';
import type { TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { fingerprint, git, link, write } from '../../activities/workspace/support.ts';
import { Cli, until, useSharedHome } from '../../support/cli.ts';

const home = useSharedHome();
const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

function plan(cli: Cli, subtasks: object[]): string {
  // Not in the workspace: it would be one of the files.
  const file = join(cli.cwd, '..', 'plan.json');
  write(file, JSON.stringify({ goal: 'change files', workspace: cli.cwd, subtasks }));
  return file;
}

const errorOf = (text: string): { code: string; message: string; problems?: { where: string }[] } =>
  (JSON.parse(text) as { error: { code: string; message: string } }).error;

test('a task is shown, undone exactly, and a second undo says that there is nothing left; the user’s git is as it was', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const at = (path: string): string => join(cli.cwd, path);
  write(at('changed.txt'), 'one\n');
  write(at('gone.bin'), Buffer.from([0, 255, 13, 10]));
  write(at('old.txt'), 'renamed\n');
  write(at('run.sh'), '#!/bin/sh\n', 0o755);
  write(at('.gitignore'), 'out.log\n');
  link(at('link'), 'changed.txt');
  git(cli.cwd, 'init', '-q');
  git(cli.cwd, 'add', '-A');
  git(cli.cwd, 'commit', '-qm', 'first');
  write(at('changed.txt'), 'for the stash\n');
  git(cli.cwd, 'stash', '-q');
  write(at('staged.txt'), 'staged\n');
  git(cli.cwd, 'add', 'staged.txt');
  const status = git(cli.cwd, 'status', '--porcelain');
  const before = fingerprint(cli.cwd);
  const file = plan(cli, [
    { id: 'edit', executor: command('echo two > changed.txt; rm gone.bin; echo log > out.log; echo done') },
    {
      id: 'move',
      dependsOn: ['edit'],
      executor: command('mv old.txt new.txt; chmod -x run.sh; ln -sfn /etc link; mkdir made; echo x > made/x'),
      verify: ['echo checked > by-verify.txt'],
    },
  ]);
  expect((await cli.here('run', file, '--id', 'shown')).code).toBe(0);

  const diff = await cli.jsonHere<TaskDiff>('diff', 'shown');
  const shown = diff.files.map(({ path, state, by }) => `${state} ${path} ${by.join()}`);
  expect(shown).toEqual([
    'created by-verify.txt move',
    'modified changed.txt edit',
    'deleted gone.bin edit',
    'modified link move',
    'created made/x move',
    'created new.txt move',
    'deleted old.txt move',
    'mode run.sh move',
  ]);
  expect(diff).toMatchObject({ taskId: 'shown', subtask: null, gaps: [], outside: [] });
  expect(diff.files.every(({ sure }) => sure)).toBe(true);
  const patch = (await cli.here('diff', 'shown', 'edit')).stdout;
  expect(patch).toContain('-one\n+two\n');
  expect(patch).not.toContain('made/x');
  expect((await cli.here('diff', 'shown', '--stat')).stdout).toMatch(/modified +\+1 -1 +edit +changed\.txt/);

  expect((await cli.jsonHere<UndoAnswer>('undo', 'shown', '--dry-run')).files).toHaveLength(8);
  expect((await cli.jsonHere<UndoAnswer>('undo', 'shown')).files).toHaveLength(8);
  rmSync(at('out.log'));
  expect(fingerprint(cli.cwd)).toEqual(before);
  expect(git(cli.cwd, 'status', '--porcelain')).toBe(status);
  const again = await cli.here('undo', 'shown');
  expect(again).toMatchObject({ code: 0, stdout: 'There is nothing to undo of the task shown.\n' });

  const unknown = await cli.here('undo', 'nobody', '--json');
  expect([unknown.code, errorOf(unknown.stderr).code]).toEqual([4, 'TASK_NOT_FOUND']);
  const typo = await cli.here('diff', 'shown', 'edut', '--json');
  expect([typo.code, errorOf(typo.stderr).code]).toEqual([4, 'SUBTASK_NOT_FOUND']);

  // The snapshots are files of this machine: to look at them no service is needed, and none is started.
  const alone = new Cli();
  const [from, to] = [cli, alone].map((one) => workspaceFolder(one.home, realpathSync(cli.cwd)));
  cpSync(from ?? '', to ?? '', { recursive: true });
  expect((await alone.json<TaskDiff>('diff', 'shown')).files).toEqual([]);
  expect(alone.processes()).toEqual([]);
}, 180_000);

test('of two concurrent subtasks one is undone where it is sure, and refused with names where not; never while it runs', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const at = (path: string): string => join(cli.cwd, path);
  write(at('.gitignore'), 'go\n');
  const wait = 'while [ ! -e go ]; do sleep 0.05; done';
  const file = plan(cli, [
    { id: 'a', executor: command(`echo a > a.txt; echo a >> shared; touch a-there; ${wait}`), deliverables: ['a.txt'] },
    { id: 'b', executor: command(`echo b > b.txt; echo b >> shared; touch b-there; ${wait}`), deliverables: ['b.txt'] },
  ]);
  await cli.jsonHere('run', file, '--id', 'two', '--detach');
  await until(
    'both run',
    () => Object.keys(fingerprint(cli.cwd)).filter((name) => name.endsWith('-there')).length === 2,
  );
  for (const args of [['two'], ['two', 'a']]) {
    const refused = await cli.here('undo', ...args, '--json');
    expect([refused.code, errorOf(refused.stderr).code]).toEqual([1, 'TASK_RUNNING']);
  }
  // A subtask that runs is seen as it is now.
  expect((await cli.jsonHere<TaskDiff>('diff', 'two')).files.map(({ path }) => path)).toContain('a.txt');
  write(at('go'), '');
  expect((await cli.here('watch', 'two')).code).toBe(0);
  const before = fingerprint(cli.cwd);
  const refused = await cli.here('undo', 'two', 'a', '--json');
  expect(refused.code).toBe(1);
  const error = errorOf(refused.stderr);
  expect(error.code).toBe('UNDO_CONFLICT');
  expect(error.problems?.map(({ where }) => where)).toContain('shared');
  expect(fingerprint(cli.cwd)).toEqual(before);
  await cli.jsonHere('undo', 'two');
  expect(Object.keys(fingerprint(cli.cwd))).toEqual(['/.gitignore', '/go']);
}, 180_000);

test('a task is not undone while another one works in its folder, unless it is forced', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  write(join(cli.cwd, 'a.txt'), 'one\n');
  const first = plan(cli, [{ id: 'edit', executor: command('echo two > a.txt; echo ok') }]);
  expect((await cli.here('run', first, '--id', 'undone-meanwhile')).code).toBe(0);
  const go = join(cli.cwd, '..', 'go');
  const second = plan(cli, [
    { id: 'work', executor: command(`until test -e ${go}; do sleep 0.1; done; echo b > b.txt; echo ok`) },
  ]);
  expect((await cli.here('run', second, '--id', 'works-meanwhile', '--detach')).code).toBe(0);
  const isWorking = async (): Promise<boolean> =>
    (await cli.jsonHere<{ state: string }>('status', 'works-meanwhile')).state === 'running';
  await until('the second task works', isWorking);
  const refused = await cli.here('undo', 'undone-meanwhile', '--json');
  expect([refused.code, errorOf(refused.stderr)]).toMatchObject([
    1,
    { code: 'WORKSPACE_BUSY', message: 'works-meanwhile works in this folder' },
  ]);
  expect(readFileSync(join(cli.cwd, 'a.txt'), 'utf8')).toBe('two\n');
  expect((await cli.jsonHere<UndoAnswer>('undo', 'undone-meanwhile', '--dry-run')).files).toHaveLength(1);
  expect((await cli.here('undo', 'undone-meanwhile', '--force')).code).toBe(0);
  expect(readFileSync(join(cli.cwd, 'a.txt'), 'utf8')).toBe('one\n');
  write(go, '');
  expect((await cli.here('watch', 'works-meanwhile')).code).toBe(0);
  expect((await cli.here('undo', 'works-meanwhile')).code).toBe(0);
});

test('undo and diff in a workspace that was moved say so', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const workspace = join(cli.cwd, 'work');
  mkdirSync(workspace);
  const file = join(cli.cwd, 'plan.json');
  const subtasks = [{ id: 'edit', executor: command('echo x > x.txt; echo ok') }];
  write(file, JSON.stringify({ goal: 'change files', workspace, subtasks }));
  expect((await cli.here('run', file, '--id', 'moved')).code).toBe(0);
  renameSync(workspace, `${workspace}-elsewhere`);
  for (const verb of ['undo', 'diff']) {
    const refused = await cli.here(verb, 'moved', '--json');
    expect([refused.code, errorOf(refused.stderr)]).toMatchObject([
      2,
      { code: 'WORKSPACE_NOT_FOUND', message: expect.stringContaining('it was moved or removed') as string },
    ]);
  }
  renameSync(`${workspace}-elsewhere`, workspace);
  expect((await cli.here('undo', 'moved')).code).toBe(0);
});
