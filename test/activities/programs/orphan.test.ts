// A process that left its process group is ended with the rest: at a time limit, a cancellation, an ordinary end, and by the next worker
// after a crash.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  attemptGroup,
  inGroup,
  makeControlGroup,
  pidsOfAttempt,
  removeWhenEmpty,
} from '../../../activities/programs/control-group.ts';
import { endOrphan } from '../../../activities/programs/orphan.ts';
import { readIdentity } from '../../../activities/programs/process-identity.ts';
import { runProgram } from '../../../activities/programs/run-program.ts';
import { alive, until } from '../../support/cli.ts';

const onLinux = test.runIf(process.platform === 'linux');

const wiper = 'setsid and a wiped environment';

/** A child in a session of its own that writes its pid and stays; `$F` is where. */
const leavers = {
  setsid: `setsid sh -c 'echo $$ > "$F"; exec sleep 300' &`,
  'a double fork': `(setsid sh -c 'sh -c "echo \\$\\$ > \\$F; exec sleep 300" &' &);`,
  // Only the kernel still knows whose it is.
  [wiper]: `env -i setsid sh -c 'echo $$ > "$0"; exec sleep 300' "$F" &`,
} as const;

function place(): { pid: () => number; env: Record<string, string>; mark: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-orphan-'));
  const file = join(folder, 'pid');
  const pid = (): number => {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      return 0;
    }
  };
  onTestFinished(() => {
    if (pid() > 0 && alive(pid())) process.kill(pid(), 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const mark = `HEDDLE_IDEMPOTENCY_KEY=${folder}`;
  return { pid, env: { PATH: process.env['PATH'] ?? '', F: file, HEDDLE_IDEMPOTENCY_KEY: folder }, mark, folder };
}

/** True if the system has control groups for us. */
const tried = makeControlGroup('attempt', { isUsable: () => true });
if (tried !== undefined) await removeWhenEmpty(tried);

for (const [name, leaver] of Object.entries(leavers)) {
  const hasGroup = tried !== undefined;
  const isFound = name !== wiper || hasGroup;
  test.runIf(process.platform === 'linux' && isFound).each(['timeout', 'aborted', 'exited'] as const)(
    `a child that left by ${name} is gone when its program has %s`,
    async (end) => {
      const { pid, env, mark, folder } = place();
      const stop = new AbortController();
      const wait = end === 'exited' ? 'until test -s "$F"; do sleep 0.05; done' : 'sleep 300';
      const running = runProgram({
        argv: ['sh', '-c', `${leaver} ${wait}`],
        cwd: folder,
        env,
        mark,
        timeout: end === 'timeout' ? 1_000 : 60_000,
        signal: stop.signal,
      });
      await until('the child runs', () => pid() > 0);
      if (end === 'aborted') stop.abort();
      expect((await running).end).toBe(end);
      expect(alive(pid())).toBe(false);
    },
  );
}

test.runIf(tried !== undefined)(
  'what the next worker finds by the control group alone is ended, and the group is gone',
  async () => {
    const { pid, env, mark, folder } = place();
    const [shell = '', ...args] = inGroup(attemptGroup([`start of ${mark}`, mark]) ?? '', [
      'sh',
      '-c',
      `${leavers[wiper]} sleep 300`,
    ]);
    const program = spawn(shell, args, { cwd: folder, env, detached: true, stdio: 'ignore' });
    await until('the child runs', () => pid() > 0);
    process.kill(-(program.pid ?? 0), 'SIGKILL');
    expect(pidsOfAttempt(mark)).toContain(pid());
    expect(await endOrphan({ host: hostname(), mark })).toMatchObject({ left: [] });
    expect(alive(pid())).toBe(false);
    await until('the group is gone', () => pidsOfAttempt(mark).length === 0);
  },
);

onLinux('a child that left the group of a program that is gone is ended by the next worker', async () => {
  const { pid, env, mark, folder } = place();
  const program = spawn('sh', ['-c', `${leavers.setsid} sleep 300`], {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  });
  await until('the child runs', () => pid() > 0);
  const identity = readIdentity(program.pid ?? 0);
  process.kill(-(program.pid ?? 0), 'SIGKILL');
  await until('the program is gone', () => !alive(program.pid ?? 0));
  expect(alive(pid())).toBe(true);
  const orphan = { host: hostname(), mark, ...(identity === undefined ? {} : { program: identity }) };
  expect(await endOrphan(orphan)).toMatchObject({ left: [] });
  expect(alive(pid())).toBe(false);
});

onLinux('a program that is just replacing itself by another one is found too', async () => {
  const { env, mark, folder } = place();
  const script = join(folder, 'again');
  // At each moment it is likely to be between two programs, when it shows neither arguments nor environment.
  writeFileSync(script, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
  for (let round = 1; round <= 40; round += 1) {
    const program = spawn(script, { cwd: folder, env, detached: true, stdio: 'ignore' });
    await once(program, 'spawn');
    const { pid = 0 } = program;
    onTestFinished(() => void (alive(pid) && process.kill(-pid, 'SIGKILL')));
    expect(await endOrphan({ host: hostname(), mark }), `round ${round}`).toMatchObject({ ended: [pid], left: [] });
  }
});
