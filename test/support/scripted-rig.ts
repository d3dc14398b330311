import type { SearchAttributePair } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../client/index.ts';
import './quiet-runtime.ts';
import { finish, type Script, type task } from './scripted-task.ts';

export interface ScriptedRig {
  client: HeddleClient;
  address: string;
  start(script: Script, options?: { timeout?: number; attributes?: SearchAttributePair[] }): Promise<TaskHandle>;
  /** Ends the worker for good. */
  stopWorker(): Promise<void>;
}

let counter = 0;

/** Bundled by the first file that needs it. */
async function bundled(): Promise<string> {
  const path = join(inject('runFolder'), 'scripted-task.js');
  if (existsSync(path)) return path;
  const workflowsPath = join(import.meta.dirname, 'scripted-task.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, path);
  return path;
}

/** A real server and tasks that only answer questions, as the test says. */
export function useScriptedRig(): ScriptedRig {
  const taskQueue = `scripted-${process.pid}-${(counter += 1)}`;
  const rig = {} as ScriptedRig;
  const started: TaskHandle[] = [];
  let native: NativeConnection;
  let worker: Worker | undefined;
  let running: Promise<void> | undefined;
  rig.start = async (script, { timeout, attributes } = {}) => {
    const id = `${taskQueue}-${started.length}`;
    const handle = rig.client.task(id);
    started.push(handle);
    await rig.client.temporal.workflow.start<typeof task>('task', {
      workflowId: handle.workflowId,
      taskQueue,
      args: [script],
      memo: { goal: 'a scripted goal' },
      ...(attributes === undefined ? {} : { typedSearchAttributes: attributes }),
      ...(timeout === undefined ? {} : { workflowExecutionTimeout: timeout }),
    });
    return handle;
  };
  rig.stopWorker = async () => {
    worker?.shutdown();
    await running;
    worker = undefined;
  };
  beforeAll(async () => {
    rig.address = inject('temporalAddress');
    native = await NativeConnection.connect({ address: rig.address });
    rig.client = await HeddleClient.connect({ address: rig.address }, { taskQueue });
    worker = await Worker.create({ connection: native, taskQueue, workflowBundle: { codePath: await bundled() } });
    running = worker.run();
  });
  afterAll(async () => {
    for (const { workflowId } of started)
      await rig.client.temporal.workflow
        .getHandle(workflowId)
        .terminate('the test has ended')
        .catch(() => undefined);
    await rig.stopWorker();
    await rig.client.close();
    await native.close();
  });
  return rig;
}

export async function end(rig: ScriptedRig, { workflowId }: TaskHandle, how: { fail?: string } = {}): Promise<void> {
  await rig.client.temporal.workflow.getHandle(workflowId).signal(finish, how);
}
