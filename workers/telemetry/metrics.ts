import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HeddleError } from '../../domain/heddle-error.ts';
import { decisionKinds, openTasksQuery } from '../../domain/names.ts';
import { attributes } from '../../domain/search-attributes.ts';
import { workerLimits } from '../limits.ts';

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

export interface MetricsAddress {
  host: string;
  port: number;
}

/** `HOST:PORT`, an IPv6 host in brackets. */
export function parseMetricsAddress(text: string): MetricsAddress {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([\d.]+|localhost)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535 || port === 0) {
    throw new HeddleError({
      code: 'CONFIG_WRONG_TYPE',
      message: `${text} is not an address for metrics`,
      where: '--metrics or HEDDLE_METRICS',
      hint: 'Write an IP address and a port, such as 127.0.0.1:9464.',
    });
  }
  const host = match[1] ?? match[2] ?? '';
  return { host: host === 'localhost' ? '127.0.0.1' : host, port };
}

/** Says who is at fault: the exporter itself would only say that it did not start. */
export function checkAddressIsFree({ host, port }: MetricsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        new HeddleError({
          code: 'METRICS_ADDRESS_TAKEN',
          message: `The metrics cannot be served at ${host}:${port}: ${error.message}`,
          where: '--metrics or HEDDLE_METRICS',
          hint: 'Give each worker on a machine its own address.',
        }),
      ),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}
