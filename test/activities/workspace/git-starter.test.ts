// The small process that starts git for a large one: it answers as git in this process would, and goes with whom it serves.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, onTestFinished } from 'vitest';
import { readIdentity } from '../../../activities/programs/process-identity.ts';
import { askGitStarter } from '../../../activities/workspace/git/ask-git-starter.ts';
import { gitProcess, type GitRun } from '../../../activities/workspace/git/git-process.ts';
import { eventually, temporaryFolder } from '../execute/program/support.ts';

const run = (folder: string, args: string[], more: Partial<GitRun> = {}): GitRun => ({
  program: 'git',
  args,
  cwd: folder,
  env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', HOME: folder },
  stdin: '',
  patience: 30_000,
  outputBytes: 10_000_000,
  ...more,
});

/** A `git` that does what the script says. */
function ownGit(folder: string, script: string): Partial<GitRun> {
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return { env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` } };
}

const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const startersOf = (parent: number): number[] =>
  childrenOf(parent).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('git-starter'));

test('tells what git in this process would have told', async () => {
  const folder = await temporaryFolder();
  const bytes = Buffer.alloc(2_000_000, Buffer.from([0, 255, 10, 128]));
  const runs = [
    run(folder, ['init', '--quiet']),
    run(folder, ['hash-object', '-w', '--stdin'], { stdin: bytes }),
    run(folder, ['cat-file', 'blob', 'HEAD:nothing']),
    run(folder, ['--version'], { env: { PATH: '/nonexistent' } }),
    run(join(folder, 'gone'), ['--version']),
    run(folder, ['hash-object', '--stdin'], ownGit(folder, 'exec yes')),
  ];
  for (const each of runs) expect(await askGitStarter(each)).toEqual(await gitProcess(each));
  const [, hashed] = runs;
  const written = await gitProcess(hashed ?? run(folder, []));
  const oid = Buffer.from(written.how === 'ended' ? written.stdout : [])
    .toString()
    .trim();
  const read = await askGitStarter(run(folder, ['cat-file', 'blob', oid]));
  expect(read.how === 'ended' && Buffer.from(read.stdout).equals(bytes)).toBe(true);
});

test('ends a git that takes too long, also when it is itself stopped', async () => {
  const folder = await temporaryFolder();
  const slow = run(folder, [], {
    ...ownGit(folder, `echo $$ > ${join(folder, 'pid')}; exec sleep 600`),
    patience: 500,
  });
  expect(await askGitStarter(slow)).toEqual({ how: 'slow' });
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(readIdentity(pid)).toBe(undefined);
  const [starter = 0] = startersOf(process.pid);
  process.kill(starter, 'SIGSTOP');
  expect(await askGitStarter({ ...run(folder, ['--version']), patience: 100 })).toMatchObject({ how: 'not started' });
  expect(await askGitStarter(run(folder, ['--version'], { env: { PATH: process.env['PATH'] ?? '' } }))).toMatchObject({
    how: 'ended',
    code: 0,
  });
});

test('one that is killed is told to those who wait, and the next run has another', async () => {
  const folder = await temporaryFolder();
  const begun = join(folder, 'begun');
  const waiting = askGitStarter(run(folder, [], ownGit(folder, `echo $$ > ${begun}; exec sleep 600`)));
  await eventually(() => readdirSync(folder).includes('begun') && readFileSync(begun, 'utf8') !== '');
  for (const pid of startersOf(process.pid)) process.kill(pid, 'SIGKILL');
  expect(await waiting).toEqual({ how: 'not started', why: 'the process that starts it has ended' });
  expect(await eventually(() => readIdentity(Number(readFileSync(begun, 'utf8'))) === undefined)).toBe(true);
  expect(await askGitStarter(run(folder, ['--version']))).toMatchObject({ how: 'ended', code: 0 });
});

test.each(['ends', 'is killed'])('goes with the process that it serves when that %s', async (how) => {
  const folder = await temporaryFolder();
  const asking = join(import.meta.dirname, '..', '..', '..', 'activities', 'workspace', 'git', 'ask-git-starter.ts');
  const script = `
    import { readFileSync } from 'node:fs';
    import { askGitStarter } from ${JSON.stringify(asking)};
    const end = await askGitStarter(${JSON.stringify(run(folder, ['--version']))});
    const children = readFileSync(\`/proc/\${process.pid}/task/\${process.pid}/children\`, 'utf8');
    process.stdout.write(\`\${end.how} \${children}\`);
    ${how === 'ends' ? '' : 'setInterval(() => undefined, 1_000);'}`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const [told, ...starters] = said.toString().trim().split(' ');
  expect([told, starters.length]).toEqual(['ended', 1]);
  if (how === 'is killed') child.kill('SIGKILL');
  expect(await exited).toEqual(how === 'ends' ? [0, null] : [null, 'SIGKILL']);
  await eventually(() => starters.every((pid) => readIdentity(Number(pid)) === undefined));
});
