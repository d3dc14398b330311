import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { hostname } from 'node:os';
import { parseDuration } from '../domain/duration.ts';
import { HeddleError } from '../domain/heddle-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const idleDefault = '10m';

/** How to reach a server, as client and worker both take it. */
type ServerAddress = Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'> & {
  address: string;
};

/** What the environment says, read in one place. */
export interface Settings {
  taskQueue: string;
  host: string;
  /** Milliseconds without a task and without a command after which the local service ends. */
  idle: number;
  /** A server that was given by Temporal's own variables or profile file; otherwise the local service is used. */
  server: { connection: ServerAddress; namespace: string } | undefined;
}

export function readSettings(env: Environment): Settings {
  const idleText = env['HEDDLE_IDLE'] ?? idleDefault;
  const idle = parseDuration(idleText);
  if (idle === undefined || idle <= 0) {
    throw new HeddleError({
      code: 'CONFIG_WRONG_TYPE',
      message: `HEDDLE_IDLE is ${idleText}, which is no duration`,
      where: 'environment',
      hint: 'Write it as 30s, 10m or 2h.',
    });
  }
  return {
    taskQueue: nonEmpty(env['HEDDLE_TASK_QUEUE']) ?? 'heddle',
    host: nonEmpty(env['HEDDLE_HOST']) ?? hostname(),
    idle,
    server: givenServer(env),
  };
}

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text;

/** Temporal's own configuration: the same variables and file as its command line uses. */
function givenServer(env: Environment): Settings['server'] {
  const strings = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  try {
    const profile = loadClientConfigProfile({ overrideEnvVars: strings });
    if (profile.address === undefined) return undefined;
    const { connectionOptions, namespace } = toClientOptions(profile);
    const { tls, apiKey, metadata } = connectionOptions;
    const given = {
      ...(tls === undefined ? {} : { tls }),
      ...(typeof apiKey === 'string' ? { apiKey } : {}),
      ...(metadata === undefined ? {} : { metadata }),
    };
    return { connection: { address: profile.address, ...given }, namespace: namespace ?? 'default' };
  } catch (error) {
    throw new HeddleError({
      code: 'TEMPORAL_CONFIG_INVALID',
      message: `Temporal's configuration cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      where: 'TEMPORAL_* variables or the profile file',
      hint: 'Correct it, or unset it to use the local service.',
    });
  }
}
