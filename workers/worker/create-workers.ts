import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { workerLimits } from '../limits/worker-limits.ts';
import { isOfLocalService, localWorker } from './local-worker.ts';
import { createHeddleActivities, type HeddleActivities, heddleWorkerOptions } from './create-heddle-activities.ts';

export interface WorkersOptions {
  connection: NativeConnection;
  /** The address of `connection`. */
  serverAddress: string;
  namespace: string;
  taskQueue: string;
  host: string;
  storeFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  workflowBundle: { codePath: string };
  /** Encrypts what the server stores; the bundle must be the one for it. */
  dataConverter?: DataConverter | undefined;
  /** The version of this code: its tasks stay with it to their end. */
  deployment?: { name: string; buildId: string } | undefined;
  /** Milliseconds that running attempts have at a shutdown. */
  grace?: number;
  /** The home of the local service, whose one worker does everything, on one queue. */
  localHome?: string;
  /** The queue is that of a local service, whose worker is there or comes back. */
  besideLocalService?: boolean;
  /** Serves workflows alone: no host queue, no activity. Other workers must do those. */
  workflowsOnly?: boolean;
}

export interface Workers {
  /** Resolves when all have drained. */
  run(): Promise<void>;
  shutdown(): void;
}

/**
 * Two workers in one process: workflows and what needs no files on the common queue, the rest on this host's own. The local service has
 * everything on the common queue too, where the server starts an activity without a hop.
 */
export async function createWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace, taskQueue, grace = workerLimits.drainGrace } = options;
  const local = options.localHome === undefined ? undefined : localWorker(options.localHome);
  const isAlone = local && (() => local.isAlone({ connection, namespace, taskQueue }));
  const activities = createHeddleActivities({ ...options, ...(isAlone && { isAlone }) });
  const common: WorkerOptions = {
    connection,
    namespace,
    taskQueue,
    shutdownGraceTime: grace,
    shutdownForceTime: grace + workerLimits.handOver,
    ...heddleWorkerOptions,
    ...(options.dataConverter && { dataConverter: options.dataConverter }),
    ...versionOptions(options.deployment),
    ...(local && { identity: local.identity }),
  };
  const workflowOptions: WorkerOptions = { ...common, workflowBundle: options.workflowBundle };
  if (options.workflowsOnly === true) return together([await Worker.create(workflowOptions)]);
  return together([
    await Worker.create({ ...workflowOptions, ...(await commonActivities(options, activities)) }),
    await Worker.create({ ...common, taskQueue: activities.hostQueue, activities: activities.host }),
  ]);
}

/** A second worker beside that of a local service leaves it all activities of the queue: tasks there count on its files. */
async function commonActivities(
  options: WorkersOptions,
  { host, shared }: HeddleActivities,
): Promise<Pick<WorkerOptions, 'activities'>> {
  if (options.localHome !== undefined) return { activities: { ...host, ...shared } };
  if (options.besideLocalService === true || (await isOfLocalService(options))) return {};
  return { activities: shared };
}

function together(workers: Worker[]): Workers {
  return {
    async run() {
      await Promise.all(workers.map((worker) => worker.run()));
    },
    shutdown() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

function versionOptions(deployment: WorkersOptions['deployment']): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (deployment === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: deployment.name, buildId: deployment.buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  };
}
