import proto from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

interface Queue {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
}

const localService = ' of local service ';

/** True where the worker of a local service is on this queue: then it does all activities there, those that need its host's files too. */
export async function isOfLocalService(queue: Queue): Promise<boolean> {
  return (await listPollers(queue)).some((identity) => identity.includes(localService));
}

/** The worker of a home's local service, by a name that it has again after a restart. */
export function localWorker(home: string): { identity: string; isAlone: (queue: Queue) => Promise<boolean> } {
  const mark = `${localService}${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
  return {
    identity: `${process.pid}@${hostname()}${mark}`,
    // A worker of somebody else on the queue would be given activities that need this host's files.
    isAlone: async (queue) => (await listPollers(queue)).every((identity) => identity.endsWith(mark)),
  };
}

async function listPollers({ connection, namespace, taskQueue }: Queue): Promise<string[]> {
  const types = proto.temporal.api.enums.v1.TaskQueueType;
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: types.TASK_QUEUE_TYPE_ACTIVITY,
  });
  return pollers.map(({ identity }) => identity ?? '');
}
