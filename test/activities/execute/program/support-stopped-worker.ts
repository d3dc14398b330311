// A worker in a process of its own, to be stopped: it serves `runOneAttempt` and the real activity.
import { NativeConnection, Worker } from '@temporalio/worker';

import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { createExecuteSubtask } from '../../../../activities/execute/execute-subtask.ts';
import { FileStore } from '../../../../activities/store/file-store.ts';
import { heddleWorkerOptions } from '../../../../workers/worker/create-heddle-activities.ts';

const [address = '', taskQueue = '', root = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const executeSubtask = createExecuteSubtask({
  store: new FileStore(`${root}/store`),
  root,
  secrets: new EnvironmentSecrets(process.env),
});
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: new URL('./support-stopped-workflow.ts', import.meta.url).pathname,
  activities: { executeSubtask },
  ...heddleWorkerOptions,
});
console.log('ready');
await worker.run();
