// A closed lid, on the real server: the worker stands still until Temporal has given up its try, then both go on.
import { Client, Connection } from '@temporalio/client';
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';

import { readIdentity } from '../../../activities/programs/process-identity.ts';
import { eventually, isGone, makeRig, readWhenThere } from './support.ts';
import type { Given, Rig } from './support.ts';
import type { runOneAttempt } from './support-stopped-workflow.ts';

const given: Given = {
  run: ['sh', '-c', 'echo run >> runs; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo end'],
  timeout: 60_000,
};

async function start(rig: Rig) {
  const address = inject('temporalAddress');
  const taskQueue = `stopped-${process.pid}-${Date.now()}`;
  const program = new URL('./support-stopped-worker.ts', import.meta.url).pathname;
  const worker = spawn(process.execPath, [program, address, taskQueue, rig.root], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    worker.kill('SIGKILL');
  });
  let said = '';
  worker.stdout.on('data', (data: Buffer) => (said += data.toString()));
  expect(await eventually(() => said.includes('ready'))).toBe(true);
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const handle = await new Client({ connection }).workflow.start<typeof runOneAttempt>('runOneAttempt', {
    taskQueue,
    workflowId: taskQueue,
    args: [await rig.input(given)],
  });
  const pid = Number(await readWhenThere(join(rig.workspace, 'pid')));
  onTestFinished(() => {
    if (readIdentity(pid) !== undefined) process.kill(-pid, 'SIGKILL');
  });
  const tries = async (): Promise<number> => (await handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0;
  return { worker, handle, pid, tries };
}

/** Stops the worker until Temporal has given up its try. */
async function closeLid({ worker, tries }: Awaited<ReturnType<typeof start>>): Promise<void> {
  worker.kill('SIGSTOP');
  while ((await tries()) < 2) await sleep(200);
  await sleep(1_000);
  worker.kill('SIGCONT');
}

test('a program outlives a stop of its worker that is longer than the heartbeat timeout, and runs once', async () => {
  const rig = await makeRig();
  const task = await start(rig);
  await closeLid(task);
  await sleep(5_000);
  expect(await task.tries()).toBe(2);
  expect(readIdentity(task.pid)).toBeDefined();
  await writeFile(join(rig.workspace, 'go'), '');
  expect(await task.handle.result()).toMatchObject({ kind: 'finished', reruns: 0, preview: 'end' });
  expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\n');
});

test('a cancellation after such a stop ends the program, and says what it was', async () => {
  const rig = await makeRig();
  const task = await start(rig);
  await closeLid(task);
  await sleep(3_000);
  await task.handle.cancel();
  expect(await task.handle.result()).toMatchObject({ kind: 'failed', failure: { type: 'cancelled' } });
  expect(await isGone(task.pid)).toBe(true);
});

test('a workflow that was terminated leaves no program behind', async () => {
  const rig = await makeRig();
  const task = await start(rig);
  await task.handle.terminate();
  expect(await isGone(task.pid)).toBe(true);
});
