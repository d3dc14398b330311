// A closed lid, on the real server: the worker stands still until Temporal has given up its try, then both go on.
import { Client, Connection } from '@temporalio/client';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';

import { readIdentity } from '../../../../activities/programs/process-identity.ts';
import { eventually, isGone, makeRig, readWhenThere } from './support.ts';
import type { Given, Rig } from './support.ts';
import type { runOneAttempt } from './support-stopped-workflow.ts';

const given: Given = {
  run: ['sh', '-c', 'echo run >> runs; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo end'],
  timeout: 60_000,
};

/** One worker for all attempts. */
async function startWorker(rig: Rig): Promise<{ worker: ChildProcess; client: Client; taskQueue: string }> {
  const address = inject('temporalAddress');
  const taskQueue = `stopped-${process.pid}-${Date.now()}`;
  const program = new URL('./support-stopped-worker.ts', import.meta.url).pathname;
  const worker = spawn(process.execPath, [program, address, taskQueue, rig.root], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    worker.kill('SIGKILL');
  });
  let output = '';
  worker.stdout.on('data', (data: Buffer) => (output += data.toString()));
  expect(await eventually(() => output.includes('ready'))).toBe(true);
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return { worker, client: new Client({ connection }), taskQueue };
}

/** One attempt with a workspace of its own. */
async function start(rig: Rig, { client, taskQueue }: Awaited<ReturnType<typeof startWorker>>, taskId: string) {
  const workspace = join(rig.workspace, taskId);
  await mkdir(workspace);
  const handle = await client.workflow.start<typeof runOneAttempt>('runOneAttempt', {
    taskQueue,
    workflowId: `${taskQueue}-${taskId}`,
    args: [await rig.input({ ...given, taskId, workspace, idempotencyKey: `${taskId}/draft/1` })],
  });
  const pid = Number(await readWhenThere(join(workspace, 'pid')));
  onTestFinished(() => {
    if (readIdentity(pid) !== undefined) process.kill(-pid, 'SIGKILL');
  });
  const pending = async () => (await handle.describe()).raw.pendingActivities?.[0];
  const tries = async (): Promise<number> => (await pending())?.attempt ?? 0;
  /** Returns true if a later try has sent a beat. */
  const beats = async (since: number): Promise<boolean> => {
    const { attempt, lastHeartbeatTime } = (await pending()) ?? {};
    return (attempt ?? 0) > 1 && Number(lastHeartbeatTime?.seconds ?? 0) * 1_000 > since;
  };
  return { workspace, handle, pid, tries, beats };
}

test(
  'a stop of the worker that is longer than the heartbeat timeout: what it runs goes on, and can still be cancelled',
  { timeout: 120_000 },
  async () => {
    const rig = await makeRig();
    const serving = await startWorker(rig);
    const [lasting, cancelled, terminated] = await Promise.all([
      start(rig, serving, 'lasting'),
      start(rig, serving, 'cancelled'),
      start(rig, serving, 'terminated'),
    ]);
    // A workflow that was terminated leaves no program behind.
    await terminated.handle.terminate();
    expect(await isGone(terminated.pid)).toBe(true);

    // Until Temporal has given up both tries.
    serving.worker.kill('SIGSTOP');
    for (const { tries } of [lasting, cancelled]) while ((await tries()) < 2) await sleep(200);
    await sleep(1_000);
    const since = Date.now();
    serving.worker.kill('SIGCONT');
    for (const { beats } of [lasting, cancelled]) while (!(await beats(since))) await sleep(200);

    // The program outlives it, and runs once.
    expect(readIdentity(lasting.pid)).toBeDefined();
    // A cancellation after it ends the program, and says what it was.
    await cancelled.handle.cancel();
    expect(await cancelled.handle.result()).toMatchObject({ kind: 'failed', failure: { type: 'cancelled' } });
    expect(await isGone(cancelled.pid)).toBe(true);
    await writeFile(join(lasting.workspace, 'go'), '');
    expect(await lasting.handle.result()).toMatchObject({ kind: 'finished', reruns: 0, preview: 'end' });
    expect(await readFile(join(lasting.workspace, 'runs'), 'utf8')).toBe('run\n');
  },
);
