// Commands that take more than they may, or do not want to end: both in the sandbox and beside everything else. Nothing of them is left.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { eventually } from '../execute/program/support.ts';
import { countedGroup } from '../../../activities/sandbox/counted-group.ts';
import { defaultProcessLimits } from '../../../activities/sandbox/watch-processes.ts';
import { bubblewrap, makeCommandRig, type CommandRig } from './support.ts';

const { fileBytes, outputBytes, keptHead, keptTail } = activityLimits.commands;
const { openFiles, addressSpace, threads, temporaryBytes, homeBytes, sharedBytes } = activityLimits.commands;

const pathOfNode = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** Half of it is taken at once, and the rest not so fast that it hurts others. */
const eatMemory = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(64 * 1024 * 1024, 1)), 100);';

/** True where we may make control groups. */
const tried = countedGroup(1);
const kernelCounts = tried !== undefined;
tried?.leave();

/** Those of this process. */
const groupsOfOurs = (): number =>
  ['/sys/fs/cgroup/pids', '/sys/fs/cgroup']
    .flatMap((place) => (existsSync(place) ? readdirSync(place) : []))
    .filter((name) => name.startsWith(`heddle-command-${process.pid}-`)).length;

describe.each([
  ['in the sandbox', bubblewrap, bubblewrap === undefined],
  ['beside everything else', undefined, false],
])('%s', (_, sandbox, isSkipped) => {
  const makeRig = () => makeCommandRig(sandbox);
  /** For commands at once: what ends one ends all that has its mark. */
  const makeRigs = (count: number) => Promise.all(Array.from({ length: count }, makeRig));

  test.skipIf(isSkipped)('what takes too long is ended, with all that it had said', async () => {
    const [slow, tidy, deaf, still] = (await makeRigs(4)) as [CommandRig, CommandRig, CommandRig, CommandRig];
    // A process that is asked to end may tidy up; one that does not listen is ended too, also when it is stopped.
    const tidying = 'trap "rm lock; echo bye; exit" TERM; touch lock; while :; do sleep 0.1; done';
    const hearingNothing = `trap "" TERM; (trap "" TERM; : ${deaf.mark}; while :; do sleep 0.1; done) & kill -STOP $!; while :; do sleep 0.1; done`;
    const [late, bye, ...others] = await Promise.all([
      slow.runText('echo begun; sleep 100', { timeout: 3_000 }),
      tidy.runText(tidying, { timeout: 3_000 }),
      deaf.runText(hearingNothing, { timeout: 500 }),
      still.runText('kill -STOP $$', { timeout: 500 }),
    ]);
    expect(late).toEqual({ exit: 'time', text: 'begun\n' });
    expect(bye).toEqual({ exit: 'time', text: expect.stringMatching(/bye\n$/) as string });
    expect(existsSync(join(tidy.workspace, 'lock'))).toBe(false);
    expect(others.map(({ exit }) => exit)).toEqual(['time', 'time']);
  });

  test.skipIf(isSkipped || !kernelCounts)(
    'the kernel refuses what is started faster than anybody looks, also where we are root; its group goes with the command',
    async () => {
      const { runText } = await makeRig();
      const begun = groupsOfOurs();
      const most = { ...defaultProcessLimits, processes: 1_000_000, threads: 40 };
      const { text } = await runText("sh -c 'for i in $(seq 200); do sleep 30 & done; echo all'", { most });
      expect(text).toMatch(/fork/i);
      expect(text).not.toContain('all');
      expect(await eventually(() => groupsOfOurs() <= begun)).toBe(true);
    },
  );

  test.skipIf(isSkipped)('an abort ends it', async () => {
    const { runText, workspace } = await makeRig();
    const abort = new AbortController();
    const running = runText('touch begun; sleep 100', { signal: abort.signal });
    await eventually(() => existsSync(join(workspace, 'begun')));
    abort.abort();
    expect(await running).toEqual({ exit: 'abort', text: '' });
    expect(await runText('touch again', { signal: abort.signal })).toEqual({
      exit: 'It was stopped before it began.',
      text: '',
    });
    expect(existsSync(join(workspace, 'again'))).toBe(false);
  });

  test.skipIf(isSkipped)('nothing stays in the background, however it got there', async () => {
    const { runText, mark, workspace, left } = await makeRig();
    const daemon = `sh -c ': ${mark}; while :; do echo tick >> ticks; sleep 0.1; done'`;
    const ways = [
      `nohup ${daemon} >/dev/null 2>&1 &`,
      `setsid ${daemon} >/dev/null 2>&1 &`,
      `(setsid sh -c "(${daemon}) &" >/dev/null 2>&1 &)`,
      `(setsid ${daemon} &)`,
    ];
    expect(await runText(`${ways.join('\n')}\nsleep 0.3; echo done`)).toEqual({ exit: 0, text: 'done\n' });
    expect(left()).toEqual([]);
    const { size } = statSync(join(workspace, 'ticks'));
    await sleep(300);
    expect(statSync(join(workspace, 'ticks')).size).toBe(size);
  });

  test.skipIf(isSkipped)('prints without end: both ends are kept', async () => {
    const { sh } = await makeRig();
    const result = await sh('echo first; yes "a line of some length that is printed again and again"');
    if (result.kind !== 'killed') throw new Error(result.kind);
    expect(result.for).toBe('output');
    const { head, tail, bytes, dropped } = result.output;
    expect(head.startsWith('first\n')).toBe(true);
    expect(tail).toMatch(/again and again\n[^\n]*$/);
    expect(bytes).toBeGreaterThan(outputBytes);
    expect(bytes).toBeLessThan(outputBytes + 1024 * 1024);
    expect(dropped).toBe(bytes - keptHead - keptTail);
  });

  test.skipIf(isSkipped)('forks without end, writes a file without end, takes all memory', async () => {
    const [forks, writes, eats] = (await makeRigs(3)) as [CommandRig, CommandRig, CommandRig];
    const [forking, writing, eating] = await Promise.all([
      forks.runText('sleep 0.5; while :; do sleep 30 & done', { most: { ...defaultProcessLimits, processes: 50 } }),
      writes.runText('exec dd if=/dev/zero of=big bs=1M seek=1020 count=100 2>/dev/null'),
      eats.runText(`node -e "${eatMemory}"`, {
        environment: { PATH: pathOfNode },
        most: { ...defaultProcessLimits, memory: 300 * 1024 * 1024 },
      }),
    ]);
    expect([forking.exit, eating.exit]).toEqual(['processes', 'memory']);
    expect(writing.exit === null || writing.exit === 153).toBe(true);
    expect(statSync(join(writes.workspace, 'big')).size).toBe(fileBytes);
  });

  test.skipIf(isSkipped)(
    'secrets that pass by are replaced before anything is cut; none of the worker’s variables reach it, no input and no terminal',
    async () => {
      const { runText } = await makeRig();
      const redactor = new Redactor({ TOKEN: 'sesame-open' });
      const prints = 'printf sesame; sleep 0.2; printf -- "-open\\n"; echo sesame-open >&2';
      expect(await runText(prints, { redactor })).toEqual({ exit: 0, text: '[TOKEN]\n[TOKEN]\n' });
      const { text } = await runText('env');
      expect(text).toContain('TERM=dumb\n');
      expect(text).not.toContain('sesame');
      const asking = 'cat; tty; (echo x > /dev/tty) 2>/dev/null || echo none';
      expect(await runText(asking)).toEqual({ exit: 0, text: 'not a tty\nnone\n' });
    },
  );

  test.skipIf(isSkipped)('the kernel limits open files, addresses and the size of a file', async () => {
    const { runText } = await makeRig();
    const { text } = await runText('ulimit -n; ulimit -v; ulimit -f; ulimit -c');
    // bash counts files in blocks of 1024 bytes.
    expect(text.trim().split('\n').map(Number)).toEqual([openFiles, addressSpace / 1024, fileBytes / 1024, 0]);
    const { text: refused } = await runText('perl -e \'my $x = "a" x (70 * 2 ** 30); print "taken"\' 2>&1');
    expect(refused).toMatch(/out of memory|panic/i);
  });

  test.skipIf(isSkipped)('what cannot be started says so', async () => {
    const { run } = await makeRig();
    const missing = await run(['heddle-no-such-program']);
    expect(missing).toMatchObject({ kind: 'exited', exit: 127 });
    expect(await run(['echo', 'a\0b'])).toMatchObject({ kind: 'not-started' });
    expect(await run(['echo', 'x'.repeat(3_000_000)])).toMatchObject({ kind: 'not-started' });
  });
});

describe.skipIf(bubblewrap === undefined)('in the sandbox alone', () => {
  test('the folders in memory have their sizes, and processes and threads a number', async () => {
    const { runText } = await makeCommandRig(bubblewrap);
    const { text } = await runText('df -B1 --output=size /tmp ~ /dev/shm | tail -n +2; ulimit -u');
    const sizes = text.trim().split(/\s+/).map(Number);
    expect(sizes).toEqual([temporaryBytes, homeBytes, sharedBytes, threads]);
    const full = 'head -c 300M /dev/zero > /dev/shm/full 2>/dev/null || echo refused; rm -f /dev/shm/full';
    expect(await runText(full)).toEqual({ exit: 0, text: 'refused\n' });
  });
});

test('beside everything else a command has a small environment, and the real folders', async () => {
  const { runText, home } = await makeCommandRig(undefined);
  const { text } = await runText('env | cut -d= -f1 | sort | tr "\\n" " "; echo; echo $HOME; cat ~/store/object');
  const [names = '', ...rest] = text.trim().split('\n');
  const expected = ['HEDDLE_TEST_MARK', 'HOME', 'LANG', 'PATH', 'PWD', 'SHLVL', 'TERM', 'TMPDIR', '_'];
  expect(
    names.split(' ').filter((name) => name !== '' && !expected.includes(name) && !name.startsWith('GIT_')),
  ).toEqual([]);
  expect(rest).toEqual([home, 'STORED']);
});
