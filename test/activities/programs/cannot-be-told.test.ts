// A program of which the system tells nothing (no file descriptor is left) is not dead: it is held as a living one, and not signalled.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, onTestFinished } from 'vitest';
import { readIdentity } from '../../../activities/programs/process-identity.ts';

const programs = join(import.meta.dirname, '../../../activities/programs');

/** Few enough to be used up at once, enough for Node itself. */
const descriptors = 60;

/** The value of an expression in a process that cannot open another file. */
async function withoutDescriptors(expression: string): Promise<unknown> {
  const code = `
    import { closeSync, openSync } from 'node:fs';
    const identity = await import(${JSON.stringify(join(programs, 'process-identity.ts'))});
    const group = await import(${JSON.stringify(join(programs, 'process-group.ts'))});
    const orphan = await import(${JSON.stringify(join(programs, 'orphan.ts'))});
    const said = async (work) => { try { return await work(); } catch (error) { return error.code; } };
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch (error) { if (error.code !== 'EMFILE') throw error; }
    const answer = await said(async () => (${expression}));
    for (const one of taken) closeSync(one);
    console.log(JSON.stringify(answer ?? null));`;
  const script = `ulimit -n ${descriptors}; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, code]);
  return JSON.parse(stdout);
}

async function sleeper(): Promise<{ pid: number; identity: { pid: number; startTime: string }; isUp: () => boolean }> {
  const child = spawn('sleep', ['60'], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, HELD_MARK: 'held/1/' },
  });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid!;
  return { pid, identity: readIdentity(pid)!, isUp: () => child.exitCode === null && child.signalCode === null };
}

test('a living process is not told as gone', async () => {
  const { pid, identity } = await sleeper();
  expect(await withoutDescriptors(`identity.isAlive(${JSON.stringify(identity)})`)).toBe(true);
  expect(await withoutDescriptors(`identity.readIdentity(${pid})`)).toBe('EMFILE');
});

test('nobody is signalled on suspicion', async () => {
  const { identity, isUp } = await sleeper();
  const asked = JSON.stringify(identity);
  expect(await withoutDescriptors(`identity.signalProcess(${asked}, 'SIGKILL')`)).toBe('EMFILE');
  const stranger = JSON.stringify({ ...identity, startTime: `${identity.startTime}0` });
  const about = `{ host: ${JSON.stringify(hostname())}, mark: 'HELD_MARK=held/1/', program: ${stranger} }`;
  expect(await withoutDescriptors(`orphan.endOrphan(${about})`)).toMatchObject({ ended: [], left: [] });
  expect(isUp()).toBe(true);
});

test('a living group is not told as gone', async () => {
  const { pid } = await sleeper();
  expect(await withoutDescriptors(`group.isGroupAlive(${pid})`)).toBe(true);
  expect(await withoutDescriptors(`group.isGroupAlive(4194300)`)).toBe(false);
});

test.each([
  ['with', true],
  ['without', false],
])('a program of a dead worker, %s a record of it, is unclear and not ended', async (_, recorded) => {
  const { identity, isUp } = await sleeper();
  const program = recorded ? `, program: ${JSON.stringify(identity)}` : '';
  const about = `{ host: ${JSON.stringify(hostname())}, mark: 'HELD_MARK=held/1/'${program} }`;
  const orphanEnd = await withoutDescriptors(`orphan.endOrphan(${about})`);
  expect(orphanEnd).toMatchObject({ ended: [], left: [], unclear: expect.stringContaining('EMFILE') as string });
  expect(isUp()).toBe(true);
});
