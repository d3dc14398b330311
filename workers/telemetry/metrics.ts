import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { decisionKinds, openTasksQuery } from '../../domain/names/names.ts';
import { attributes } from '../../domain/names/search-attributes.ts';
import { workerLimits } from '../limits/worker-limits.ts';

/** States of open tasks, as `HeddleState` names them; it is set once a task is prepared. */
const states = { running: "= 'running'", paused: "= 'paused'", waiting: "= 'waiting'", planning: 'IS NULL' } as const;

/**
 * Gauges of the whole queue, counted by the server at intervals: every worker tells the same numbers, so take their maximum, not their
 * sum. What happens (attempts, recoveries, ends) is counted where it happens, in the workflows.
 */
export async function gaugeTasks(options: {
  client: Client;
  taskQueue: string;
  logger: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { client, taskQueue, logger, signal } = options;
  const { metricMeter } = Runtime.instance();
  const tasks = metricMeter.createGauge('heddle_tasks', 'int', undefined, 'Open tasks by state');
  const decisions = metricMeter.createGauge(
    'heddle_decisions_open',
    'int',
    undefined,
    'Open tasks that wait for an answer, by the kind of question',
  );
  const open = `${openTasksQuery} AND TaskQueue = '${taskQueue}'`;
  const count = async (filter: string): Promise<number> => (await client.workflow.count(`${open} AND ${filter}`)).count;
  while (!signal.aborted) {
    try {
      for (const [state, is] of Object.entries(states)) tasks.set(await count(`${attributes.state} ${is}`), { state });
      for (const kind of decisionKinds) {
        decisions.set(await count(`${attributes.waitingOn} = '${kind}'`), { kind });
      }
    } catch (error) {
      logger.warn({ err: error }, 'the open tasks cannot be counted');
    }
    await sleep(workerLimits.metricsInterval, undefined, { signal }).catch(() => undefined);
  }
}
