// git in the sandbox: commits work, also in a worktree that is linked to a repository elsewhere; what git would run later for the user stays as it is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../../activities/programs/run-program.ts';
import { MountReplacedError, withHeld } from '../../../activities/sandbox/mounts/hold-mounts.ts';
import type { Mount } from '../../../activities/sandbox/mounts/mount.ts';
import { sandboxStart } from '../../../activities/sandbox/sandbox-arguments.ts';
import { seeSystem } from '../../../activities/sandbox/mounts/machine-mounts.ts';
import { seeRepository } from '../../../activities/sandbox/mounts/repository-mounts.ts';
import { commandFolders } from '../../../activities/sandbox/mounts/placeholder-files.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { bubblewrap, makeCommandRig } from './support.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' }).trim();

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
}

describe.skipIf(bubblewrap === undefined)('in the sandbox', () => {
  test('a commit works, by the name of the user, else by ours', async () => {
    const { runText, workspace, home } = await makeCommandRig(bubblewrap);
    makeRepository(workspace);
    expect(await runText('echo two > a.txt; git commit -qam second; git log -1 --format="%an <%ae> %s"')).toEqual({
      exit: 0,
      text: 'Heddle <heddle@localhost> second\n',
    });
    const other = join(home, 'other');
    mkdirSync(other);
    writeFileSync(join(other, '.gitconfig'), '[user]\n\tname = "A \\"quoted\\" name"\n\temail = a@example.org\n');
    const environment = { PATH: '/usr/bin:/bin', HOME: other };
    expect(await runText('git commit -q --allow-empty -m x; git log -1 --format="%an <%ae>"', { environment })).toEqual(
      {
        exit: 0,
        text: 'A "quoted" name <a@example.org>\n',
      },
    );
    expect(git(workspace, 'log', '--format=%s')).toBe('x\nsecond\nfirst');
  });

  test('hooks run inside; neither they nor the settings can be changed', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    makeRepository(workspace);
    mkdirSync(join(workspace, '.git', 'modules'));
    const hook = join(workspace, '.git', 'hooks', 'pre-commit');
    writeFileSync(hook, '#!/bin/sh\nhostname > ran\n', { mode: 0o755 });
    const config = readFileSync(join(workspace, '.git', 'config'), 'utf8');
    await runText('git commit -q --allow-empty -m x');
    expect(readFileSync(join(workspace, 'ran'), 'utf8')).toBe('sandbox\n');
    for (const way of [
      'git config core.fsmonitor ./evil',
      'echo evil >> .git/config',
      'mv .git/config .git/c; cp .git/c .git/config',
      'echo evil > .git/hooks/post-checkout',
      'echo evil > .git/hooks/pre-commit',
      'rm -f .git/hooks/pre-commit; rm -rf .git/hooks; mkdir .git/hooks',
      'mv .git aside',
      'rm -rf .git/modules && mkdir .git/modules/x',
    ]) {
      expect(await runText(`{ ${way}; } 2>/dev/null`)).not.toMatchObject({ exit: 0 });
    }
    expect(readFileSync(join(workspace, '.git', 'config'), 'utf8')).toBe(config);
    expect(readFileSync(hook, 'utf8')).toContain('hostname');
    expect(existsSync(join(workspace, '.git', 'hooks', 'post-checkout'))).toBe(false);
  });

  test('settings in another place, which git would believe, are not left there', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    makeRepository(workspace);
    const evil =
      'cp -r .git copy; printf "[core]\\n\\tfsmonitor = ./evil\\n" >> copy/config; echo ../copy > .git/commondir';
    expect(await runText(`${evil}; git config core.fsmonitor`)).toEqual({ exit: 0, text: './evil\n' });
    expect(existsSync(join(workspace, '.git', 'commondir'))).toBe(false);
    expect(() => git(workspace, 'config', 'core.fsmonitor')).toThrow();
  });

  test('a linked worktree commits into its repository, of which the rest stays as it is', async () => {
    const { runText, workspace, home } = await makeCommandRig(bubblewrap);
    const main = join(home, '..', 'main');
    makeRepository(main);
    git(main, 'worktree', 'add', '-q', '-b', 'side', join(workspace, 'tree'));
    const tree = join(workspace, 'tree');
    const config = readFileSync(join(main, '.git', 'config'), 'utf8');
    const answer = await runText('echo two > a.txt; git commit -qam second && git status --short', { workspace: tree });
    expect(answer).toEqual({ exit: 0, text: '' });
    expect(git(main, 'log', '--format=%s', 'side')).toBe('second\nfirst');
    const attack = `cd ${main}/.git; echo x >> config; echo x > hooks/post-commit; echo x > HEAD; echo x > worktrees/tree/commondir; ls -A ..`;
    expect(await runText(`{ ${attack}; } 2>/dev/null`, { workspace: tree })).toEqual({ exit: 0, text: '.git\n' });
    expect(
      await runText('{ rm .git || mv .git x || echo evil > .git; } 2>/dev/null', { workspace: tree }),
    ).toMatchObject({
      exit: 1,
    });
    expect(readFileSync(join(main, '.git', 'config'), 'utf8')).toBe(config);
    expect(git(main, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
  });

  test('who swaps a folder for a link while a command starts makes it fail, and sees nothing by it', async () => {
    const { workspace } = await makeCommandRig(bubblewrap);
    makeRepository(workspace);
    const modules = join(workspace, '.git', 'modules');
    const swap = (): void => {
      rmSync(modules, { recursive: true });
      symlinkSync('../..', modules);
    };
    mkdirSync(modules);
    const seen: Mount[] = [
      ...(await seeSystem({ network: false })),
      ...commandFolders,
      { kind: 'write', at: workspace, from: workspace, held: true },
      ...(await seeRepository(workspace)),
    ];
    const peek = withHeld(seen, async (mounts) => {
      swap();
      const plan = { mounts, network: false, cwd: '/tmp', env: { PATH: '/usr/bin:/bin' } };
      const start = sandboxStart(bubblewrap ?? '', { ...plan, argv: ['cat', join(workspace, '../home/.ssh/id_rsa')] });
      return runProgram({ ...start, cwd: '/', env: {}, timeout: 20_000 });
    });
    expect(await peek).toMatchObject({ exitCode: 1, stdoutTail: '' });
    await expect(withHeld(seen, () => Promise.resolve())).rejects.toThrow(MountReplacedError);
  });

  test('a repository above the workspace is not seen', async () => {
    const { runText, workspace } = await makeCommandRig(bubblewrap);
    makeRepository(join(workspace, '..'));
    expect(await runText('git status 2>&1 | head -1 | cut -c1-27')).toEqual({
      exit: 0,
      text: 'fatal: not a git repository\n',
    });
  });
});

describe('what is seen of a repository', () => {
  test('links in it are not followed', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'work', '.git'), { recursive: true });
    execFileSync('ln', ['-s', '/etc', join(folder, 'work', '.git', 'hooks')]);
    execFileSync('ln', ['-s', '/etc/passwd', join(folder, 'work', '.git', 'config')]);
    const git = join(folder, 'work', '.git');
    const mounts = await seeRepository(join(folder, 'work'));
    expect(mounts.map(({ kind, at }) => [kind, at])).toEqual([
      ['write', git],
      ['read', join(git, 'config.worktree')],
      ['read', join(git, 'modules')],
    ]);
    mkdirSync(join(folder, 'other'));
    execFileSync('ln', ['-s', '/etc', join(folder, 'other', '.git')]);
    expect(await seeRepository(join(folder, 'other'))).toEqual([]);
  });

  test('a forged pointer leads nowhere, a true one does', async () => {
    const folder = await temporaryFolder();
    makeRepository(join(folder, 'main'));
    git(join(folder, 'main'), 'worktree', 'add', '-q', join(folder, 'tree'));
    mkdirSync(join(folder, 'secret', 'worktrees', 'x'), { recursive: true });
    mkdirSync(join(folder, 'work', 'worktrees', 'out'), { recursive: true });
    writeFileSync(join(folder, 'work', 'worktrees', 'out', 'commondir'), `${folder}/secret\n`);
    const pointer = join(folder, 'work', '.git');
    for (const forged of [
      `gitdir: ${folder}/secret\n`,
      `gitdir: ${folder}/secret/worktrees/x\n`,
      `gitdir: ${folder}/main/.git/worktrees/tree\n`,
      `gitdir: ${folder}/work/worktrees/out\n`,
      'gitdir: /nonexistent/worktrees/x\n',
      `gitdir: ${folder}/main/.git/worktrees/tree\n/etc\n`,
      `gitdir: ${'x'.repeat(100_000)}`,
    ]) {
      writeFileSync(pointer, forged);
      expect(await seeRepository(join(folder, 'work'))).toEqual([
        { kind: 'read', at: pointer, from: pointer, held: true },
      ]);
    }
    expect((await seeRepository(join(folder, 'tree'))).map(({ at }) => at)).toContain(join(folder, 'main', '.git'));
  });

  test('a worktree that names another place for the rest is not believed', async () => {
    const folder = await temporaryFolder();
    makeRepository(join(folder, 'main'));
    git(join(folder, 'main'), 'worktree', 'add', '-q', join(folder, 'tree'));
    mkdirSync(join(folder, 'secret'));
    writeFileSync(join(folder, 'main', '.git', 'worktrees', 'tree', 'commondir'), `${folder}/secret\n`);
    const seen = await seeRepository(join(folder, 'tree'));
    expect(seen.filter(({ at }) => at.includes('secret'))).toEqual([]);
  });
});
