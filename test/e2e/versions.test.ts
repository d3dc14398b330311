// A new version is deployed while a task waits: the old task stays with the code it began with, new ones take the new code.
import { Connection, type Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { HeddleClient } from '../../client/index.ts';
import { createWorkers, type Workers } from '../../workers/worker/create-workers.ts';
import { writeChangedBundle } from '../support/changed-bundle.ts';
import { Cli, until } from '../support/cli.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { testFolder } from '../support/worker-process.ts';

/** Temporal's number. */
const autoUpgrade = 2;

const rig = useRig();

/** The build that a task's last workflow task ran on. */
async function buildOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

test('a task that waits finishes on the old version, which the new one would not fit; new tasks start on the new one', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const native = await NativeConnection.connect({ address: inject('temporalAddress') });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const running: { workers: Workers; ended: Promise<void> }[] = [];
  onTestFinished(async () => {
    for (const { workers } of running) workers.shutdown();
    await Promise.all(running.map(({ ended }) => ended));
    await native.close();
    await connection.close();
  });
  const taskQueue = `${rig.taskQueue}-versions-${Date.now()}`;
  const deploymentName = taskQueue;
  const deploy = async (buildId: string, codePath: string): Promise<void> => {
    const workers = await createWorkers({
      connection: native,
      serverAddress: inject('temporalAddress'),
      namespace: 'default',
      taskQueue,
      host: 'versioned',
      storeFolder: join(folder, 'store'),
      env: process.env,
      workflowBundle: { codePath },
      deployment: { name: deploymentName, buildId },
    });
    running.push({ workers, ended: workers.run() });
    await until(
      `version ${buildId} is current`,
      () =>
        connection.workflowService
          .setWorkerDeploymentCurrentVersion({ namespace: 'default', deploymentName, buildId })
          .then(
            () => true,
            () => false,
          ),
      20_000,
    );
  };
  const client = new HeddleClient(rig.temporal, { taskQueue, workflowTaskTimeout: 3_000 });
  const asks = '[ $HEDDLE_ATTEMPT = 1 ] && exit 77; echo done';
  const plan = shellPlan({ work: { sh: asks } }, { workspace, project: taskQueue });

  await deploy('v1', inject('bundlePath'));
  const old = await client.start(plan, { id: `${taskQueue}-old` });
  await eventOf(old, decisionOpened());
  await deploy('v2', await writeChangedBundle(folder));
  const young = await client.start({ ...plan, shareWorkspace: true }, { id: `${taskQueue}-young` });
  await eventOf(young, decisionOpened());
  for (const task of [old, young]) await task.decide({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(old)).toBe('completed');
  expect(await endOf(young)).toBe('completed');
  expect(await buildOf(rig.temporal, old.workflowId)).toBe('v1');
  expect(await buildOf(rig.temporal, young.workflowId)).toBe('v2');
  // The memory of the project outlives versions: it goes along.
  const memory = await rig.temporal.workflow.getHandle(`project-${taskQueue}`).describe();
  expect(memory.raw.workflowExecutionInfo?.versioningInfo?.behavior).toBe(autoUpgrade);

  const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: taskQueue });
  Object.assign(cli.env, { HEDDLE_DEPLOYMENT: deploymentName, HEDDLE_BUILD_ID: 'v1' });
  const { code, stdout } = await cli.run('doctor');
  expect(code).toBe(1);
  expect(stdout).toContain(`set-current-version --deployment-name ${deploymentName} --build-id v1`);
  Object.assign(cli.env, { HEDDLE_BUILD_ID: 'v2' });
  expect(await cli.json('doctor')).toMatchObject({ ok: true });
}, 180_000);

test('without a build id nothing is versioned', async () => {
  const task = await rig.start(shellPlan({ work: { sh: 'echo done' } }));
  expect(await endOf(task)).toBe('completed');
  expect(await buildOf(rig.temporal, task.workflowId)).toBeUndefined();
});
