import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createHostActivities, createSharedActivities } from '../activities/create-activities.ts';
import type { PrepareParts } from '../activities/prepare-task.ts';
import { readMemory } from '../activities/project-memory.ts';
import { readSearchAttributes } from './server/register-search-attributes.ts';

/** How long running attempts may finish at a shutdown before they are handed over. */
const shutdownGraceTime = '20s';
const shutdownForceTime = '40s';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  host: string;
  storeFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  workflowBundle: { codePath: string };
}

export interface Workers {
  /** Resolves when both have drained. */
  run(): Promise<void>;
  shutdown(): void;
}

/** Two workers in one process: workflows and what needs no files on the common queue, the rest on this host's own. */
export async function createWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace, taskQueue } = options;
  const parts: PrepareParts = {
    host: options.host,
    hostQueue: hostQueueName(taskQueue, options.host),
    env: options.env,
    storeFolder: options.storeFolder,
    readMemory,
    searchAttributes: async () => (await readSearchAttributes(connection, namespace)).registered,
  };
  const common: WorkerOptions = {
    connection,
    namespace,
    taskQueue,
    shutdownGraceTime,
    shutdownForceTime,
    // Half a second's worth of a beat is what a crash may lose, and how late a cancellation comes.
    maxHeartbeatThrottleInterval: '1s',
  };
  const shared = await Worker.create({
    ...common,
    workflowBundle: options.workflowBundle,
    activities: createSharedActivities(parts),
    // The default of 10 s is how long every task would stand still after a crash.
    stickyQueueScheduleToStartTimeout: '1s',
  });
  const host = await Worker.create({ ...common, taskQueue: parts.hostQueue, activities: createHostActivities(parts) });
  return {
    async run() {
      await Promise.all([shared.run(), host.run()]);
    },
    shutdown() {
      for (const worker of [shared, host]) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

export function hostQueueName(taskQueue: string, host: string): string {
  return `${taskQueue}-host-${host}`;
}
