// A worker that is killed while it prepares a task: the heartbeat is missed, and the next worker prepares it within seconds.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../domain/limits/domain-limits.ts';
import { HeddleClient } from '../../client/index.ts';
import { endOf, shellPlan, useRig } from '../support/rig.ts';
import { until } from '../support/cli.ts';
import { startWorkerProcess, testFolder } from '../support/worker-process.ts';

const rig = useRig();

test('it beats while it works, so its end is noticed by the heartbeat timeout, not by the time limit', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  // Settings of the starter that nobody writes: whoever reads them stays inside `prepareTask`.
  const config = join(folder, 'mine.toml');
  execFileSync('mkfifo', [config]);
  const taskQueue = `killed-${process.pid}`;
  const env = { HEDDLE_HOME: join(folder, 'home'), HEDDLE_TASK_QUEUE: taskQueue, HEDDLE_HOST: 'one' };
  const first = await startWorkerProcess(env);
  const client = new HeddleClient(rig.temporal, { taskQueue });
  const task = await client.start(
    shellPlan({ work: { sh: 'echo done' } }, { workspace, config: { userFile: config } }),
  );
  rig.adopt(task.workflowId);
  const pending = async () =>
    (await rig.temporal.workflow.getHandle(task.workflowId).describe()).raw.pendingActivities?.[0];
  const beats = new Set<string>();
  await until('it prepares and beats', async () => {
    const { seconds, nanos } = (await pending())?.lastHeartbeatTime ?? {};
    if (typeof nanos === 'number') beats.add(`${String(seconds)}.${nanos}`);
    return beats.size === 3;
  });
  await first.end('SIGKILL');
  const killedAt = Date.now();
  rmSync(config);
  await startWorkerProcess(env);
  expect(await endOf(task)).toBe('completed');
  // Far below the activity's time limit of minutes; starting the next worker takes a while on a busy machine.
  expect(Date.now() - killedAt).toBeLessThan(limits.heartbeatTimeout + 30_000);
}, 90_000);
