import proto from '@temporalio/proto';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { buildHostQueue } from '../../domain/names/names.ts';
import { explainError } from '../temporal/explain-error.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';

/** A worker process that polled a queue within the last minutes, as the server remembers it. */
export interface SeenWorker {
  host: string;
  queue: string;
  lastSeenAt: string;
}

/** Lists the workers that poll the queue of tasks, or the queue of one of the hosts. */
export async function listWorkers(client: HeddleClient, hosts: readonly string[] = []): Promise<SeenWorker[]> {
  const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType;
  const queues = [
    { name: client.taskQueue, type: TASK_QUEUE_TYPE_WORKFLOW },
    ...hosts.map((host) => ({ name: buildHostQueue(client.taskQueue, host), type: TASK_QUEUE_TYPE_ACTIVITY })),
  ];
  const workers: SeenWorker[] = [];
  for (const { name, type } of queues) {
    const { pollers } = await client.temporal.connection.workflowService
      .describeTaskQueue({
        namespace: client.temporal.options.namespace,
        taskQueue: { name },
        taskQueueType: type,
      })
      .catch((error: unknown) => {
        throw explainError(error);
      });
    for (const { identity, lastAccessTime } of pollers) {
      const lastSeenAt = lastAccessTime ? new Date(tsToMs(lastAccessTime)).toISOString() : '';
      workers.push({ host: hostOf(identity ?? ''), queue: name, lastSeenAt });
    }
  }
  return workers;
}

/** The SDK names a worker by its process and its machine: `1234@builder`. */
const hostOf = (identity: string): string => /^\d+@([^ ]+)/.exec(identity)?.[1] ?? identity;
