// The programs that git runs for the user later stay as they were: repositories that an agent's commands make or change in the workspace run nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { diffTask } from '../../../activities/workspace/undo/diff-task.ts';
import { eventsOf } from '../../support/events.ts';
import { useRig } from '../../support/rig.ts';
import { makeTrap, modes, needsSandbox, play, type Mode } from './support-walls.ts';

const rig = useRig();

/** The user's own git, with a name and nothing else of this machine. */
function git(cwd: string, ...args: string[]): { ok: boolean; out: string } {
  const named = ['-c', 'user.name=u', '-c', 'user.email=u@example.com'];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stdout, stderr } = spawnSync('git', [...named, ...args], { cwd, env, encoding: 'utf8' });
  return { ok: status === 0, out: stdout + stderr };
}

const make = 'git init -q && echo x > file && git add file && git -c user.name=a -c user.email=a@b commit -qm a';

/** Each makes a repository in a folder of its own, whose settings or hooks name `$evil`. */
const nested: Record<string, string> = {
  monitor: `${make} && git config core.fsmonitor "$evil"`,
  alias: `${make} && git config alias.st "!$evil" && git config core.pager "$evil" && git config core.editor "$evil"`,
  filter: `${make} && git config filter.x.clean "$evil" && echo "* filter=x" > .gitattributes && echo y > file`,
  included: `${make} && printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > more && git config include.path ../more`,
  hooked: `${make} && cp "$evil" .git/hooks/pre-commit && cp "$evil" .git/hooks/post-index-change`,
  'linked-hooks': `${make} && mkdir h && cp "$evil" h/pre-commit && rm -rf .git/hooks && ln -s ../h .git/hooks`,
  'hooks-path': `${make} && mkdir h && cp "$evil" h/pre-commit && git config core.hooksPath h`,
  pointer: `${make} && git config core.fsmonitor "$evil" && mv .git inner && echo "gitdir: inner" > .git`,
  link: `${make} && git config core.fsmonitor "$evil" && mv .git inner && ln -s inner .git`,
  common: `${make} && mkdir other && mv .git/objects .git/refs .git/config other/ && git config -f other/config core.fsmonitor "$evil" && echo ../other > .git/commondir`,
  worktree: `${make} && git config extensions.worktreeConfig true && printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > .git/config.worktree`,
  closed: `${make} && git config core.fsmonitor "$evil" && cp "$evil" .git/hooks/pre-commit && chmod 555 .git .git/hooks`,
};

/** Commands that a user may type in a folder that was left behind. */
const typed = [['status'], ['st'], ['add', '-A'], ['diff'], ['commit', '-qm', 'mine', '--allow-empty'], ['log']];

function useGit(folder: string): string[] {
  writeFileSync(join(folder, 'mine'), 'x');
  return typed.map((args) => git(folder, ...args).out);
}

async function attack(mode: Mode, workspace: string, command: string) {
  const { trace, script } = makeTrap();
  const evil = join(workspace, 'evil');
  writeFileSync(evil, script, { mode: 0o755 });
  const played = await play(rig, { workspace, mode, turns: [[['shell', { command: `evil=${evil}\n${command}` }]]] });
  expect(played.state).toBe('completed');
  const events = eventsOf((await played.task.allEvents()).items, 'repository.changed');
  const parts = { root: dirname(rig.storeFolder), environment: process.env };
  const answer = await diffTask(parts, { task: played.task.id, subtask: null });
  // Without a sandbox the command itself may run what it likes, once a person has said yes: what counts is what comes later.
  if (mode === 'off') rmSync(trace, { force: true });
  const ran = (): string => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
  return { ...played, events, repositories: answer?.diff.repositories ?? [], ran };
}

describe.for(modes)('mode %s', (mode) => {
  test('repositories that a command makes below the workspace run nothing for the user', async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    const parts = Object.entries(nested).map(([name, made]) => `mkdir ${name} && (cd ${name} && ${made})`);
    const { events, repositories, ran } = await attack(mode, workspace, parts.join('\n'));
    for (const name of Object.keys(nested)) useGit(join(workspace, name));
    expect(ran()).toBe('');
    // All are named, to whoever follows the task and to whoever asks for its changes.
    for (const name of Object.keys(nested)) {
      expect(events.filter(({ path }) => path.startsWith(`${name}/`))).not.toEqual([]);
      expect(repositories.filter(({ path, by }) => path.startsWith(`${name}/`) && by === 'agent')).not.toEqual([]);
    }
    expect(events.find(({ path }) => path === 'monitor/.git')).toMatchObject({
      state: 'created',
      removed: ['core.fsmonitor'],
      text: 'agent made the repository monitor/.git. Removed from it, since git would run it for you: core.fsmonitor.',
    });
  });

  test('a repository that is made where there was none can be used, without the programs that it names', async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    const arm = 'git config core.fsmonitor "$evil" && cp "$evil" .git/hooks/pre-commit';
    const { events, ran, requests } = await attack(mode, workspace, `${make} && git config user.name agent && ${arm}`);
    useGit(workspace);
    expect(ran()).toBe('');
    expect(events.map(({ path, state, removed }) => ({ path, state, removed }))).toEqual([
      { path: '.git', state: 'created', removed: ['core.fsmonitor', 'hooks/pre-commit'] },
    ]);
    // The model hears it too.
    expect(requests.at(-1)).toContain('core.fsmonitor, hooks/pre-commit');
    expect(git(workspace, 'config', 'user.name').out).toContain('u');
    expect(readFileSync(join(workspace, '.git', 'config'), 'utf8')).toContain('name = "agent"');
    expect(git(workspace, 'log', '--format=%s').out).toBe('mine\na\n');
  });

  test("the user's own repository gets no hooks, settings or submodules that run anything", async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    // Without a hooks folder; with settings of the user's own that run a program.
    git(workspace, 'init', '-q', '--template=');
    git(workspace, 'config', 'extensions.worktreeConfig', 'true');
    git(workspace, 'config', 'alias.mine', '!echo mine');
    writeFileSync(join(workspace, 'a'), 'a');
    git(workspace, 'add', 'a');
    git(workspace, 'commit', '-qm', 'first');
    const { events, ran } = await attack(
      mode,
      workspace,
      [
        'mkdir -p .git/hooks && cp "$evil" .git/hooks/pre-commit',
        `printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > .git/config.worktree`,
        'git config core.fsmonitor "$evil"',
        `mkdir sub && (cd sub && ${make})`,
        'git update-index --add --cacheinfo "160000,$(git -C sub rev-parse HEAD),sub"',
        'mkdir -p .git/modules && mv sub/.git .git/modules/sub && echo "gitdir: ../.git/modules/sub" > sub/.git',
        'git -C sub config core.fsmonitor "$evil"',
        'true',
      ].join('\n'),
    );
    expect(git(workspace, 'ls-files', '--stage').out).toContain('160000');
    useGit(workspace);
    expect(ran()).toBe('');
    expect(git(workspace, 'mine').out).toBe('mine\n');
    expect(events.map(({ path }) => path)).toContain(mode === 'auto' ? 'sub/.git' : '.git');
  });

  test('links in the place of settings and hooks cannot be replaced by programs', async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    git(workspace, 'init', '-q', '--template=');
    mkdirSync(join(workspace, 'shared-hooks'));
    symlinkSync('../shared-hooks', join(workspace, '.git', 'hooks'));
    git(workspace, 'commit', '--allow-empty', '-qm', 'first');
    const inner = join(workspace, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '-q', '--separate-git-dir=../.repository');
    const { ran, repositories } = await attack(
      mode,
      workspace,
      [
        'rm .git/hooks && mkdir .git/hooks && cp "$evil" .git/hooks/pre-commit',
        `cd inner && rm .git && ${make} && git config core.fsmonitor "$evil"`,
      ].join('\n'),
    );
    useGit(workspace);
    useGit(inner);
    expect(ran()).toBe('');
    expect(repositories.map(({ path, state, removed }) => ({ path, state, removed }))).toEqual([
      { path: '.git', state: 'changed', removed: ['hooks/pre-commit'] },
      { path: 'inner/.git', state: 'changed', removed: ['core.fsmonitor'] },
    ]);
  });

  test('a repository of the user below the workspace keeps its settings and hooks', async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    const inner = join(workspace, 'inner');
    mkdirSync(inner);
    git(inner, 'init', '-q');
    git(inner, 'config', 'alias.mine', '!echo mine');
    git(inner, 'commit', '--allow-empty', '-qm', 'first');
    writeFileSync(join(inner, '.git', 'hooks', 'commit-msg'), '#!/bin/sh\necho "by the user" >> "$1"\n', {
      mode: 0o755,
    });
    const command = [
      'cd inner',
      'git config core.fsmonitor "$evil"; git config alias.mine "!$evil"',
      'cp "$evil" .git/hooks/pre-commit; mv .git .git-2 && cp -r .git-2 .git; cp "$evil" .git/hooks/pre-commit',
      'git config core.fsmonitor "$evil"; echo x > x; git add x; true',
    ].join('\n');
    const { ran } = await attack(mode, workspace, command);
    useGit(inner);
    expect(ran()).toBe('');
    expect(git(inner, 'log', '-1', '--format=%B').out).toContain('by the user');
  });
});

test('the settings of a linked worktree stay as they are in the sandbox', async (context) => {
  await needsSandbox('auto', context);
  const main = rig.workspace();
  git(main, 'init', '-q');
  git(main, 'config', 'extensions.worktreeConfig', 'true');
  git(main, 'commit', '--allow-empty', '-qm', 'first');
  const workspace = `${main}-linked`;
  git(main, 'worktree', 'add', '-q', workspace);
  onTestFinished(() => void execFileSync('rm', ['-rf', workspace]));
  const into = '"$(git rev-parse --git-dir)/config.worktree"';
  const { ran } = await attack('auto', workspace, `printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > ${into}; true`);
  useGit(workspace);
  expect(ran()).toBe('');
});
