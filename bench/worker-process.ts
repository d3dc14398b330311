import { NativeConnection, Worker } from '@temporalio/worker';
import pino from 'pino';
import type { CompletionContract } from '../domain/model/completion-contract.ts';
import { createWorkers } from '../workers/worker/create-workers.ts';
import { installRuntime } from '../workers/telemetry/logger.ts';
import { benchQueue, failsOnceName, host, noopName, taskQueue } from './names.ts';
import { failOnce } from './size/fail-once.ts';

/** Run as a child process: Heddle's workers as a service has them, and one for the activity of a user. */
const [address, storeFolder, codePath] = process.argv.slice(2);
if (address === undefined || storeFolder === undefined || codePath === undefined)
  throw new Error('address, store folder and bundle are missing');

installRuntime(pino({ level: process.env['HEDDLE_LOG_LEVEL'] ?? 'silent' }));
const connection = await NativeConnection.connect({ address });
const workers = await createWorkers({
  connection,
  namespace: 'default',
  taskQueue,
  host,
  storeFolder,
  env: process.env,
  workflowBundle: { codePath },
});
const users = await Worker.create({
  connection,
  taskQueue: benchQueue,
  activities: {
    [noopName]: (): CompletionContract => ({ status: 'success', notes: 'done' }),
    [failsOnceName]: failOnce,
  },
});

const running = Promise.all([workers.run(), users.run()]);
// Without its parent nobody would end it.
process.once('disconnect', () => {
  workers.shutdown();
  users.shutdown();
});
process.send?.('ready');
await running;
await connection.close();
process.exit();
