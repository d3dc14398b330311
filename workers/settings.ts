import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { hostname } from 'node:os';
import { readConfigFiles } from '../activities/config/read-config.ts';
import { environmentLayer } from '../domain/config-environment.ts';
import { resolveConfig } from '../domain/config-layers.ts';
import type { Config } from '../domain/config-schema.ts';
import { writeDuration } from '../domain/duration.ts';
import { HeddleError } from '../domain/heddle-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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

/** What the environment says: enough for the background service, whose starter puts everything there. */
export function readSettings(env: Environment): Settings {
  return settingsOf(resolveConfig({ below: [environmentLayer(env, 'service')], above: [] }).values, env);
}

/** With the config files of a folder below the environment. */
export async function loadSettings(env: Environment, folder: string): Promise<Settings> {
  const files = await readConfigFiles({ env, folder });
  const below = [
    ...files.flatMap(({ layer }) => (layer === undefined ? [] : [layer])),
    environmentLayer(env, 'service'),
  ];
  return settingsOf(resolveConfig({ below, above: [] }).values, env);
}

/** The environment of the background service, which has no folder to look for files in. */
export function serviceEnvironment(env: Environment, { taskQueue, host, idle }: Settings): Environment {
  return { ...env, HEDDLE_TASK_QUEUE: taskQueue, HEDDLE_HOST: host, HEDDLE_IDLE: writeDuration(idle) };
}

const idleDefault = 10 * 60_000;

function settingsOf({ taskQueue, host, idle }: Config, env: Environment): Settings {
  return {
    taskQueue: taskQueue ?? 'heddle',
    host: host ?? hostname(),
    idle: idle ?? idleDefault,
    server: givenServer(env),
  };
}

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
    const reason = error instanceof Error ? error.message : String(error);
    throw new HeddleError({
      code: 'TEMPORAL_CONFIG_INVALID',
      // Only the first line: below it stand lines of the file, which may hold a key.
      message: `Temporal's configuration cannot be read: ${reason.split('\n')[0] ?? ''}`,
      where: 'TEMPORAL_* variables or the profile file',
      hint: 'Correct it, or unset it to use the local service.',
    });
  }
}
