// The identity of a process: a pid that was reused, or a zombie, is never taken for ours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, onTestFinished } from 'vitest';
import { endProcess, isAlive, readIdentity, signalProcess } from '../../../activities/programs/process-identity.ts';

function start(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, identity: readIdentity(child.pid!)!, exited: once(child, 'exit') };
}

test('is the same process as long as it runs, and gone afterwards', async () => {
  const { child, identity, exited } = start('sleep', ['60']);
  expect(identity.pid).toBe(child.pid);
  expect(readIdentity(child.pid!)).toEqual(identity);
  expect(isAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await exited;
  expect(isAlive(identity)).toBe(false);
  expect(readIdentity(child.pid!)).toBeUndefined();
});

test('reads the start of a process whose name has spaces and parentheses', () => {
  const script = "process.title = 'a ) R 1 (b'; setInterval(() => {}, 1000)";
  const { identity } = start(process.execPath, ['-e', script]);
  expect(identity.startTime).toMatch(/\d/);
  expect(isAlive(identity)).toBe(true);
});

test('takes another process with the same pid for a stranger and does not signal it', async () => {
  const { child, identity } = start('sleep', ['60']);
  const former = { pid: identity.pid, startTime: `${identity.startTime}0` };
  expect(isAlive(former)).toBe(false);
  expect(signalProcess(former, 'SIGKILL')).toBe(false);
  expect(await endProcess(former, 100)).toBe(true);
  expect(child.exitCode).toBeNull();
  expect(isAlive(identity)).toBe(true);
});

test('takes a zombie for dead', async () => {
  // The shell prints its child's pid and never waits for it.
  const { child } = start('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 60']);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pid = Number(String(line));
  await expect.poll(() => readIdentity(pid)).toBeUndefined();
});

test('ends a process that heeds SIGTERM, and kills one that does not', async () => {
  const polite = start('sleep', ['60']);
  expect(await endProcess(polite.identity, 5_000)).toBe(true);
  expect((await polite.exited)[1]).toBe('SIGTERM');

  const stubborn = start(process.execPath, [
    '-e',
    "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
  ]);
  await once(stubborn.child.stdout, 'data');
  expect(await endProcess(stubborn.identity, 300)).toBe(true);
  expect((await stubborn.exited)[1]).toBe('SIGKILL');
});

test.each([0, -1, 1.5, Number.NaN])('finds no process under the pid %s', (pid) => {
  expect(readIdentity(pid)).toBeUndefined();
});
