// A worker that serves a team's own workflows and activities beside Heddle's: node examples/own-worker/worker.ts
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import * as ownActivities from './activities.ts';
import { askOurModel } from './provider.ts';
// In your project: from '@heddle/heddle/activities';
import { createHeddleActivities, heddleWorkerOptions } from '../../workers/worker/create-heddle-activities.ts';

// Both workers drain on a signal; the process ends when they have.
Runtime.install({ shutdownSignals: ['SIGINT', 'SIGTERM'] });
// TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TLS and API key, or a profile file: as Temporal's own command line takes them.
const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
const connection = await NativeConnection.connect({
  ...(connectionOptions.address === undefined ? {} : { address: connectionOptions.address }),
  ...(connectionOptions.tls === undefined ? {} : { tls: connectionOptions.tls }),
  ...(typeof connectionOptions.apiKey === 'string' ? { apiKey: connectionOptions.apiKey } : {}),
});
// `ours` is the name of the provider in heddle.toml; see docs/agent.md.
const heddle = createHeddleActivities({ connection, namespace, providers: { ours: askOurModel } });
const common = { ...heddleWorkerOptions, connection, namespace, shutdownGraceTime: '20s' } as const;

const workers = await Promise.all([
  Worker.create({
    ...common,
    taskQueue: heddle.taskQueue,
    workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    activities: { ...heddle.shared, ...ownActivities },
  }),
  // What needs the files of this host has a queue of its own.
  Worker.create({ ...common, taskQueue: heddle.hostQueue, activities: heddle.host }),
]);
console.log(`Working on ${heddle.taskQueue} and ${heddle.hostQueue}`);
await Promise.all(workers.map((worker) => worker.run()));
await connection.close();
