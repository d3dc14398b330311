import type { Client } from '@temporalio/client';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openReferences, readServerId } from '../../client/sdk/open-references.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import type { LogAges } from '../telemetry/log-ages.ts';
import type { Environment, HeddleHome } from '../home/home.ts';
import { pruneHome } from './prune-home.ts';
import { readServed } from '../home/served-servers.ts';

export interface TidyOptions {
  home: Pick<HeddleHome, 'store' | 'logs'>;
  env: Environment;
  client: Client;
  server: { address: string; namespace: string; local: boolean };
  logger: Pick<Logger, 'info' | 'warn'>;
  /** How long logs are kept. */
  logs: LogAges;
  signal: AbortSignal;
  /** Milliseconds; the limits' own by default. */
  times?: { first: number; look: number; every: number };
}

/** Prunes the home by the retention limits once a day, first some minutes after the start, until the signal. */
export async function keepTidy(options: TidyOptions): Promise<void> {
  const { signal, logger, times = workerLimits.retention.tidy } = options;
  await pause(times.first, signal);
  while (!signal.aborted) {
    try {
      if (await isDue(options, times.every)) await tidy(options);
    } catch (error) {
      // The next look tries again; until then nothing goes, which is the careful side.
      logger.warn({ err: error }, 'the home could not be pruned');
    }
    await pause(times.look, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

async function tidy({ home, env, client, server, logger, logs, signal }: TidyOptions): Promise<void> {
  const { serverId, lookedAt, taskIds, hashes } = await openReferences(client);
  const request = { server: { id: serverId, ...server }, lookedAt, openTasks: taskIds, keep: hashes, dryRun: false };
  const pruned = await pruneHome(home, request, { env, logs, signal });
  logger.info({ ...pruned, openTasks: taskIds.length }, 'removed old data that no open task needs');
}

/** The process that asked last for this server; `heddle prune` counts too. */
async function isDue({ home, client }: TidyOptions, every: number): Promise<boolean> {
  const serverId = await readServerId(client.connection, client.options.namespace);
  const record = (await readServed(dirname(home.store))).find(({ id }) => id === serverId);
  return Date.now() - (record?.looked ?? 0) >= every;
}
