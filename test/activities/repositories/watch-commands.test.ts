// Repositories in a workspace around each command of an agent: also when its worker dies, and without taking anything from the agent or the user.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspaceFolder } from '../../../activities/home/home-layout.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { watchCommands } from '../../../activities/repositories/watch-commands.ts';
import type { CommandResult } from '../../../activities/sandbox/command.ts';
import { Journal } from '../../../activities/workspace/snapshots/journal.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { commandsAt } from '../../support/tool-place.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { bubblewrap } from '../sandbox/support.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' }).trim();

async function makePlace(
  sandbox?: string,
  mostFolders: number = activityLimits.repositories.folders,
  hidden: readonly string[] = [],
) {
  const folder = await temporaryFolder();
  const [root, workspace] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(workspace);
  const changes: RepositoryChange[] = [];
  const open = () =>
    watchCommands(commandsAt(workspace, sandbox), {
      ...{ root, workspace, hidden, path: process.env['PATH'] ?? '', task: 't', subtask: 'agent', mostFolders },
      onChange: (change) => changes.push(change),
    });
  const port = await open();
  const run = (command: string): Promise<CommandResult> =>
    port.run({ argv: ['sh', '-c', command], timeout: 20_000, signal: new AbortController().signal });
  const recorded = () =>
    Journal.with(workspaceFolder(root, workspace), workspace, (journal) => journal.repositories('t'));
  return { root, workspace, changes, open, run, recorded };
}

test('what a command left when its worker was killed is found by the next worker', async () => {
  const { root, workspace, changes, open, recorded } = await makePlace();
  const script = join(import.meta.dirname, 'support-killed.ts');
  const flags = ['--disable-warning=ExperimentalWarning'];
  const killed = spawnSync(process.execPath, [...flags, script, root, workspace], { encoding: 'utf8' });
  expect(killed.signal, killed.stderr).toBe('SIGKILL');
  expect(git(workspace, 'config', 'core.fsmonitor')).toBe('./evil');
  await open();
  expect(readFileSync(join(workspace, '.git', 'config'), 'utf8')).not.toContain('fsmonitor');
  expect(changes).toEqual([{ path: '.git', state: 'created', removed: ['core.fsmonitor'] }]);
  expect(recorded()).toEqual([{ path: '.git', state: 'created', removed: ['core.fsmonitor'], by: 'agent' }]);
  await open();
  expect(changes).toHaveLength(1);
});

test('settings that cannot be read, and those behind a link, are replaced by what was there before', async () => {
  const { workspace, run, changes } = await makePlace();
  git(workspace, 'init', '-q');
  git(workspace, 'config', 'alias.mine', '!mine');
  await run('echo "[core" >> .git/config');
  expect(git(workspace, 'config', 'alias.mine')).toBe('!mine');
  await run('printf "[core]\\n\\tfsmonitor = x\\n" > real; rm .git/config; ln -s ../real .git/config');
  expect(git(workspace, 'config', '--local', '--list', '--name-only')).not.toContain('fsmonitor');
  expect(readFileSync(join(workspace, 'real'), 'utf8')).toContain('fsmonitor');
  expect(changes.map(({ removed }) => removed)).toEqual([['config'], ['config']]);
});

test('a commit, a branch, a remote and an own name are no reason to tell or take anything', async () => {
  const { workspace, run, changes } = await makePlace();
  git(workspace, 'init', '-q');
  const before = readFileSync(join(workspace, '.git', 'config'), 'utf8');
  await run('git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x; git branch y');
  expect(changes).toEqual([]);
  await run('git remote add origin https://example.org/x.git; git config user.name a');
  expect(changes).toEqual([{ path: '.git', state: 'changed', removed: [] }]);
  expect(readFileSync(join(workspace, '.git', 'config'), 'utf8')).toContain(before);
});

test('a hook that is taken out is renamed, not deleted', async () => {
  const { workspace, run } = await makePlace();
  await run('git init -q --template= . && mkdir .git/hooks && printf "#!/bin/sh\\n" > .git/hooks/pre-commit');
  expect(readdirSync(join(workspace, '.git', 'hooks'))).toEqual([
    expect.stringMatching(/^pre-commit\.disabled-[0-9a-f]{8}$/) as string,
  ]);
});

test('a workspace with more folders than are searched is told once in a task', async () => {
  const { workspace, run, changes, open } = await makePlace(undefined, 100);
  mkdirSync(join(workspace, 'many'));
  for (let at = 0; at < 100; at += 1) mkdirSync(join(workspace, 'many', String(at)));
  await run('git init -q --template= .');
  await run('true');
  await (await open()).run({ argv: ['true'], timeout: 20_000, signal: new AbortController().signal });
  expect(changes).toEqual([
    { path: '.git', state: 'created', removed: [] },
    { path: '.', state: 'unsearched', removed: [] },
  ]);
});

test("Heddle's own folder is passed by, also where it is named by a link", async () => {
  const place = join(await temporaryFolder(), 'link');
  const { workspace, run, changes } = await makePlace(undefined, undefined, [place]);
  const own = join(workspace, 'own');
  mkdirSync(own);
  symlinkSync(own, place);
  await run('git init -q own/shadow && git -C own/shadow config core.hooksPath /dev/null');
  expect(changes).toEqual([]);
  expect(git(join(own, 'shadow'), 'config', 'core.hooksPath')).toBe('/dev/null');
});

test('a folder that is not open to its owner hides nothing once it is open again', async () => {
  const { workspace, run, changes } = await makePlace();
  const arm = 'mkdir a && cd a && git init -q && git config core.fsmonitor x';
  await run(`${arm} && cd .. && chmod 000 a`);
  chmodSync(join(workspace, 'a'), 0o755);
  await run('true');
  expect(readFileSync(join(workspace, 'a', '.git', 'config'), 'utf8')).not.toContain('fsmonitor');
  expect(changes.flatMap(({ removed }) => removed)).toEqual(['core.fsmonitor']);
});

describe.skipIf(bubblewrap === undefined)('in the sandbox', () => {
  test('an agent may remove a repository that it made, and change no settings of one that the user made', async () => {
    const { workspace, run } = await makePlace(bubblewrap);
    mkdirSync(join(workspace, 'users'));
    git(join(workspace, 'users'), 'init', '-q');
    await run('mkdir own && git init -q own');
    expect(await run('rm -rf own')).toMatchObject({ kind: 'exited', exit: 0 });
    expect(existsSync(join(workspace, 'own'))).toBe(false);
    const config = readFileSync(join(workspace, 'users', '.git', 'config'), 'utf8');
    expect(await run('git -C users config core.fsmonitor x')).not.toMatchObject({ exit: 0 });
    expect(await run('git -C users commit -q --allow-empty -m x')).toMatchObject({ exit: 0 });
    expect(readFileSync(join(workspace, 'users', '.git', 'config'), 'utf8')).toBe(config);
  });

  test('of very many repositories the first are read-only, and of the others changed settings are taken out', async () => {
    const { workspace, run } = await makePlace(bubblewrap);
    const most = activityLimits.repositories.kept;
    const names = Array.from({ length: most + 1 }, (_, index) => `r${String(index).padStart(2, '0')}`);
    for (const name of names) git(workspace, 'init', '-q', '--template=', name);
    const script = names.map((name) => `git -C ${name} config core.fsmonitor x && echo ${name}`).join('; ');
    const result = await run(`{ ${script}; } 2>/dev/null; true`);
    if (result.kind !== 'exited') throw new Error(result.kind);
    expect(result.output.head.trim().split('\n')).toHaveLength(1);
    const left = names.filter((name) => readFileSync(join(workspace, name, '.git', 'config'), 'utf8').includes('fsm'));
    expect(left).toEqual([]);
  });

  test('stand-ins for what is missing leave nothing but empty files and folders', async () => {
    const { workspace, run } = await makePlace(bubblewrap);
    git(workspace, 'init', '-q', '--template=');
    expect(await run('mkdir -p .git/hooks/x .git/modules/x; echo x > .git/config.worktree')).not.toMatchObject({
      exit: 0,
    });
    expect(existsSync(join(workspace, '.git', 'hooks', 'x'))).toBe(false);
    expect(existsSync(join(workspace, '.git', 'modules', 'x'))).toBe(false);
    expect(readFileSync(join(workspace, '.git', 'config.worktree'), 'utf8')).toBe('');
    expect(git(workspace, 'status', '--short')).toBe('');
  });
});
