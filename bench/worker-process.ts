import { NativeConnection, Worker } from '@temporalio/worker';
import pino from 'pino';
import type { CompletionContract } from '../domain/types/basic/completion-contract.ts';
import { installRuntime } from '../workers/telemetry/logger.ts';
import { createHeddleActivities, heddleWorkerOptions } from '../workers/worker/create-heddle-activities.ts';
import { failsOnceName, host, noopName, taskQueue } from './names.ts';
import { failOnce } from './size/fail-once.ts';

/** Run as a child process: one worker on one queue for everything, as the local service is; with the activities of a user beside Heddle's. */
const [address, storeFolder, codePath] = process.argv.slice(2);
if (address === undefined || storeFolder === undefined || codePath === undefined)
  throw new Error('address, store folder and bundle are missing');

installRuntime(pino({ level: process.env['HEDDLE_LOG_LEVEL'] ?? 'silent' }));
const connection = await NativeConnection.connect({ address });
const isAlone = (): Promise<boolean> => Promise.resolve(true);
const activities = createHeddleActivities({ connection, taskQueue, host, storeFolder, isAlone });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { codePath },
  ...heddleWorkerOptions,
  activities: {
    ...activities.host,
    ...activities.shared,
    [noopName]: (): CompletionContract => ({ status: 'success', notes: 'done' }),
    [failsOnceName]: failOnce,
  },
});

const running = worker.run();
// Without its parent nobody would end it.
process.once('disconnect', () => worker.shutdown());
process.send?.('ready');
await running;
await connection.close();
process.exit();
