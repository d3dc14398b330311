// Running one program: its whole group, its time, its output, its signals; with real programs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';

import { runProgram } from '../../../activities/programs/run-program.ts';
import type { ProgramOptions, ProgramResult } from '../../../activities/programs/run-program.ts';
import { isGone, readWhenThere, temporaryFolder } from '../execute/program/support.ts';

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
const node = process.execPath;

async function run(
  argv: string[],
  given: Partial<ProgramOptions> & { cwd?: string } = {},
): Promise<ProgramResult & { output: Buffer; stdout: Buffer }> {
  const cwd = given.cwd ?? (await temporaryFolder());
  const folder = await temporaryFolder();
  const paths = { output: join(folder, 'output'), stdout: join(folder, 'stdout') };
  const result = await runProgram({ argv, env, timeout: 30_000, paths, ...given, cwd });
  return { ...result, output: await readFile(paths.output), stdout: await readFile(paths.stdout) };
}

const sh = (script: string): string[] => ['sh', '-c', script];

describe('how it ends', () => {
  test('an exit code is a result', async () => {
    const result = await run(sh('echo out; echo err >&2; exit 3'));
    expect(result).toMatchObject({
      end: 'exited',
      exitCode: 3,
      signal: null,
      stdoutTail: 'out\n',
      stderrTail: 'err\n',
    });
    expect(result).toMatchObject({ stdoutBytes: 4, stderrBytes: 4, truncated: false });
    expect(result.stdout.toString()).toBe('out\n');
    expect([...result.output.toString().split('\n')].sort()).toEqual(['', 'err', 'out']);
  });

  test('a program that a signal ends is told by the signal', async () => {
    expect(await run(sh('kill -SEGV $$'))).toMatchObject({ end: 'exited', exitCode: null, signal: 'SIGSEGV' });
  });

  test('a program that does not exist, may not run or has no name is not started', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'plain.txt'), 'no program');
    await chmod(join(cwd, 'plain.txt'), 0o644);
    expect(await run(['heddle-no-such-program'])).toMatchObject({ end: 'not-started', startError: { code: 'ENOENT' } });
    expect(await run(['./plain.txt'], { cwd })).toMatchObject({ end: 'not-started', startError: { code: 'EACCES' } });
    expect(await run([])).toMatchObject({ end: 'not-started', startError: { code: 'EINVAL' } });
    expect(await run(['echo', 'a\0b'])).toMatchObject({
      end: 'not-started',
      startError: { code: 'ERR_INVALID_ARG_VALUE' },
    });
    expect(await run(['echo', 'x'.repeat(3_000_000)])).toMatchObject({
      end: 'not-started',
      startError: { code: 'E2BIG' },
    });
  });

  test('a time limit beyond what a timer can hold is not taken for none', async () => {
    expect(await run(sh('sleep 0.2; echo done'), { timeout: 400 * 86_400_000 })).toMatchObject({
      end: 'exited',
      stdoutTail: 'done\n',
    });
  });
});

describe('its whole process group', () => {
  // Both ignore SIGTERM, as does the shell itself.
  const stubborn = (folder: string): string[] =>
    sh(
      `trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo "$$ $!" > ${folder}/pids; while :; do sleep 1; done`,
    );

  test('at the time limit everything is gone, though it forked and ignores SIGTERM', async () => {
    const cwd = await temporaryFolder();
    const result = await run(stubborn(cwd), { cwd, timeout: 500, killGrace: 300 });
    expect(result).toMatchObject({ end: 'timeout', exitCode: null, signal: 'SIGKILL' });
    for (const pid of await pidsIn(join(cwd, 'pids'))) expect(await isGone(pid)).toBe(true);
  });

  test('an abort reaches everything, and a program that listens to SIGTERM may still say something', async () => {
    const cwd = await temporaryFolder();
    const abort = new AbortController();
    const script = `trap 'echo bye; exit 5' TERM; sleep 60 & echo "$$ $!" > ${cwd}/pids; wait`;
    const running = run(sh(script), { cwd, signal: abort.signal });
    await readWhenThere(join(cwd, 'pids'));
    abort.abort();
    expect(await running).toMatchObject({ end: 'aborted', exitCode: 5, stdoutTail: 'bye\n' });
    for (const pid of await pidsIn(join(cwd, 'pids'))) expect(await isGone(pid)).toBe(true);
  });

  test('a stopped program is ended too', async () => {
    const result = await run(sh('kill -STOP $$; echo never'), { timeout: 300, killGrace: 2_000 });
    expect(result).toMatchObject({ end: 'timeout', signal: 'SIGTERM', stdoutTail: '' });
  });

  test('aborted before it starts, it does not start', async () => {
    const folder = await temporaryFolder();
    const paths = { output: join(folder, 'o') };
    const argv = sh(`touch ${folder}/ran`);
    expect(
      await runProgram({ argv, env, cwd: folder, timeout: 1_000, paths, signal: AbortSignal.abort() }),
    ).toMatchObject({
      end: 'aborted',
      exitCode: null,
    });
    await expect(stat(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a child that holds stdout after its parent has exited is ended after a moment, and its last words are kept', async () => {
    const cwd = await temporaryFolder();
    const result = await run(
      sh(`(echo $(exec sh -c 'echo $PPID') > ${cwd}/pid; sleep 0.3; echo late; sleep 60) & echo early; exit 0`),
      {
        cwd,
      },
    );
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, stdoutTail: 'early\nlate\n' });
    expect(result.durationMs).toBeLessThan(30_000);
    expect(await isGone(Number(await readWhenThere(join(cwd, 'pid'))))).toBe(true);
  });

  test('a child that let go of stdout does not outlive its parent either', async () => {
    const cwd = await temporaryFolder();
    const result = await run(sh(`sleep 60 >/dev/null 2>&1 </dev/null & echo $! > ${cwd}/pid`), { cwd });
    expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(await isGone(Number(await readWhenThere(join(cwd, 'pid'))))).toBe(true);
  });

  test('a child that left the group and holds stdout does not hang us', async () => {
    const cwd = await temporaryFolder();
    const result = await run(sh(`setsid sh -c 'echo $$ > ${cwd}/pid; exec sleep 60' & sleep 0.3; echo done`), { cwd });
    const pid = Number(await readWhenThere(join(cwd, 'pid')));
    onTestFinished(() => {
      process.kill(pid, 'SIGKILL');
    });
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, stdoutTail: 'done\n' });
    expect(result.durationMs).toBeLessThan(30_000);
  });
});

describe('input and environment', () => {
  test('the input arrives whole', async () => {
    const text = 'zeile 1\nzeile 2 ä'.repeat(50_000);
    const result = await run(['cat'], { stdin: text });
    expect(result.stdout.toString()).toBe(text);
  });

  test('a program that does not read its input is not disturbed by it', async () => {
    expect(await run(sh('exec 0<&-; echo ok'), { stdin: 'x'.repeat(5_000_000) })).toMatchObject({
      end: 'exited',
      exitCode: 0,
    });
  });

  test('without input it reads nothing and does not wait', async () => {
    expect(await run(['cat'])).toMatchObject({ end: 'exited', exitCode: 0, stdoutBytes: 0 });
  });

  test('it sees exactly the environment it was given, also where it starts in a control group', async () => {
    const mark = `ONLY=${await temporaryFolder()}`;
    const given = { ONLY: mark.slice('ONLY='.length), OLDPWD: '/old' };
    const argv = [node, '-e', 'console.log(JSON.stringify(process.env))'];
    const { stdout } = await run(argv, { env: given, mark });
    expect(JSON.parse(stdout.toString())).toEqual(given);
  });

  test.each([
    ['is not there', 'nothing-of-that-name', 'ENOENT'],
    ['names an interpreter that is not there', './script', 'ENOENT'],
    ['must not be run', './data', 'EACCES'],
  ])('a program that %s fails as itself, also where it would start in a control group', async (_, program, code) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'script'), '#!/no/such/interpreter\n', { mode: 0o755 });
    await writeFile(join(cwd, 'data'), 'x', { mode: 0o644 });
    const result = await runProgram({ argv: [program], env, cwd, timeout: 5_000, mark: `ONLY=${cwd}` });
    expect(result).toMatchObject({ end: 'not-started', startError: { code } });
  });

  test('it sees exactly the environment it was given', async () => {
    const result = await run([node, '-e', 'console.log(JSON.stringify(process.env))'], { env: { ONLY: 'this' } });
    expect(JSON.parse(result.stdoutTail)).toEqual({ ONLY: 'this' });
  });
});

describe('output', () => {
  test('50 MB are kept whole on disk', async () => {
    const script = `const { writeSync } = require('node:fs');
      const line = Buffer.from('0123456789abcdef'.repeat(64).slice(0, 1023) + '\\n');
      const block = Buffer.concat(Array(1024).fill(line));
      const writeAll = (fd, bytes) => { for (let at = 0; at < bytes.length; ) { try { at += writeSync(fd, bytes, at); } catch (e) { if (e.code !== 'EAGAIN') throw e; } } };
      for (let i = 0; i < 50; i += 1) writeAll(1, block);
      writeAll(1, Buffer.from('the end\\n'));`;
    const folder = await temporaryFolder();
    const paths = { output: join(folder, 'output'), stdout: join(folder, 'stdout') };
    const result = await runProgram({ argv: [node, '-e', script], env, cwd: folder, timeout: 60_000, paths });
    const bytes = 50 * 1024 * 1024 + 8;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, stdoutBytes: bytes, truncated: false });
    expect((await stat(paths.output)).size).toBe(bytes);
    expect((await stat(paths.stdout)).size).toBe(bytes);
    expect(result.stdoutTail).toHaveLength(8 * 1024);
    expect(result.stdoutTail.endsWith('abcde\nthe end\n')).toBe(true);
  });

  test('a disk that does not keep up makes the program wait, instead of filling the memory', async () => {
    const folder = await temporaryFolder();
    const paths = { output: join(folder, 'slow-disk'), stdout: join(folder, 'stdout') };
    execFileSync('mkfifo', [paths.output]);
    // A pipe that nobody reads for a while is the slowest disk there is.
    const slow = 'exec 3<slow-disk; while [ ! -e go ]; do sleep 0.05; done; exec cat <&3';
    const disk = spawn('sh', ['-c', slow], { cwd: folder, stdio: 'ignore' });
    onTestFinished(() => void disk.kill('SIGKILL'));
    const diskEnded = once(disk, 'exit');
    const program = sh('for i in $(seq 50); do yes | head -c 1048576; echo $i > printed; done');
    const running = runProgram({ argv: program, env, cwd: folder, timeout: 60_000, paths });
    await readWhenThere(join(folder, 'printed'));
    await sleep(1_500);
    expect(Number(await readWhenThere(join(folder, 'printed')))).toBeLessThan(5);
    await writeFile(join(folder, 'go'), '');
    expect(await running).toMatchObject({
      end: 'exited',
      exitCode: 0,
      stdoutBytes: 50 * 1024 * 1024,
      truncated: false,
    });
    await diskEnded;
  });

  test('what is above the cap is read and dropped, and the program goes on to its end', async () => {
    const result = await run(sh('yes | head -c 3000000; echo; echo complaint >&2; echo last'), {
      maxOutputBytes: 100_000,
    });
    expect(result).toMatchObject({
      end: 'exited',
      exitCode: 0,
      truncated: true,
      stdoutBytes: 3_000_006,
      stderrBytes: 10,
    });
    expect(result.stdout.length).toBe(100_000);
    expect(result.output.length).toBe(100_000);
    expect(result.stdoutTail.endsWith('\nlast\n')).toBe(true);
    expect(result.stderrTail).toBe('complaint\n');
  });

  test('stderr that fills the cap takes nothing from stdout', async () => {
    const result = await run(sh('yes | head -c 200000 >&2; sleep 0.2; echo result'), { maxOutputBytes: 100_000 });
    expect(result.stdout.toString()).toBe('result\n');
    expect(result.truncated).toBe(true);
  });

  test('both streams stand in one file in the order they came', async () => {
    const result = await run(sh('for i in 1 2 3; do echo out$i; sleep 0.1; echo err$i >&2; sleep 0.1; done'));
    expect(result.output.toString()).toBe('out1\nerr1\nout2\nerr2\nout3\nerr3\n');
    expect(result.stdout.toString()).toBe('out1\nout2\nout3\n');
  });

  test('binary garbage is kept byte by byte, and its tail is still text', async () => {
    const script = `const bytes = Buffer.alloc(70000); for (let i = 0; i < bytes.length; i += 1) bytes[i] = (i * 31) % 256;
      process.stdout.write(bytes)`;
    const result = await run([node, '-e', script]);
    expect(result.stdout.length).toBe(70_000);
    expect(result.stdout[69_999]).toBe((69_999 * 31) % 256);
    expect(result.stdoutTail).toContain('\uFFFD');
    expect(result.stdoutTail.isWellFormed()).toBe(true);
  });

  test('a tail never begins inside a character', async () => {
    const result = await run([node, '-e', `process.stdout.write('a' + '€'.repeat(10000))`], { tailBytes: 1_000 });
    expect(result.stdoutTail).toBe('€'.repeat(333));
  });

  test('the last line is told as it comes, without colours and control characters', async () => {
    const lines: string[] = [];
    await run(sh(`printf 'one\\n'; sleep 0.2; printf '10%%\\r20%%\\r\\033[31mred\\033[0m \\007bell\\n\\n'`), {
      onLine: (line) => lines.push(line),
    });
    expect(lines).toEqual(['one', 'red bell']);
  });

  test('when the output cannot be kept, the program is ended and the system error told', async () => {
    const folder = await temporaryFolder();
    const argv = sh('while :; do echo more; done');
    const result = await runProgram({ argv, env, cwd: folder, timeout: 20_000, paths: { output: '/dev/full' } });
    expect(result).toMatchObject({
      end: 'exited',
      signal: expect.stringMatching(/^SIG/) as string,
      outputError: { code: 'ENOSPC' },
    });
    expect(result.durationMs).toBeLessThan(10_000);
  });

  test('when there is no place for the output, nothing is started', async () => {
    const folder = await temporaryFolder();
    const paths = { output: join(folder, 'no', 'such', 'folder'), stdout: join(folder, 'stdout') };
    const argv = sh(`touch ${folder}/ran`);
    const result = await runProgram({ argv, env, cwd: folder, timeout: 1_000, paths });
    expect(result).toMatchObject({ end: 'not-started', startError: { code: 'ENOENT' } });
    await expect(stat(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('the program gets its input only after it was recorded, and a failed record ends it', async () => {
  const order: string[] = [];
  const recorded = await run(sh('read line; echo "$line"'), {
    stdin: 'go\n',
    onStart: async (pid) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      order.push(`recorded ${pid > 1 ? 'pid' : ''}`);
    },
    onLine: (line) => order.push(line),
  });
  expect(recorded.exitCode).toBe(0);
  expect(order).toEqual(['recorded pid', 'go']);

  const failed = await run(['sleep', '60'], { onStart: () => Promise.reject(new Error('no record')) });
  expect(failed).toMatchObject({ end: 'exited', signal: 'SIGTERM', outputError: { message: 'no record' } });
});

test('a program that ends before it is recorded does not end the recording', async () => {
  let recorded = false;
  await run(['true'], {
    onStart: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      recorded = true;
    },
  });
  expect(recorded).toBe(true);
});

test('a program of ours is not in our own group, so that Ctrl-C at a terminal does not reach it', async () => {
  const child = spawn('ps', ['-o', 'pgid=', '-p', String(process.pid)]);
  const own = await new Promise<string>((resolve) =>
    child.stdout.on('data', (text: Buffer) => resolve(text.toString().trim())),
  );
  await once(child, 'close');
  expect((await run(sh('ps -o pgid= -p $$'))).stdoutTail.trim()).not.toBe(own);
});

async function pidsIn(path: string): Promise<number[]> {
  return (await readWhenThere(path)).split(/\s+/).map(Number);
}
