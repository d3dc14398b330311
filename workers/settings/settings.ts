import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { readConfigFiles } from '../../activities/config/read-config.ts';
import { environmentLayer } from '../../domain/config/environment.ts';
import { serviceKeys } from '../../domain/config/keys/all-keys.ts';
import type { ConfigLayer } from '../../domain/config/layer.ts';
import { defaultLogging } from '../../domain/config/keys/limit-keys.ts';
import { mergeConfig } from '../../domain/config/merge.ts';
import { pick } from '../../domain/config/pick.ts';
import type { Config } from '../../domain/schema/config-schema.ts';
import { parseDuration, writeDuration } from '../../domain/text/duration.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { defaultTaskQueue } from '../../domain/names/names.ts';
import { trustIn } from '../home/trust-in.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { parseMetricsAddress, type MetricsAddress } from './metrics-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach a server, as client and worker both take it. */
type ServerAddress = Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'> & {
  address: string;
};

/** `[logging]`; durations in milliseconds. */
export type Logging = Required<NonNullable<Config['logging']>>;

/** The settings of a process. The environment is read here and nowhere else. */
export interface Settings {
  taskQueue: string;
  host: string;
  /** Milliseconds without a task and without a command after which the local service ends. */
  idle: number;
  /** Milliseconds that running attempts have at a shutdown before they are handed over. */
  grace: number;
  /** The log of this process and the data that it leaves in the home. */
  logging: Logging;
  /** The address at which Prometheus reads the metrics; none by default. */
  metrics: MetricsAddress | undefined;
  /** Pins each task to the code that it began with; unversioned by default. */
  deployment: { name: string; buildId: string } | undefined;
  /** The file of keys that encrypt what the server stores; nothing is encrypted without one. */
  codecKeys: string | undefined;
  /** False where API and console are not served. */
  console: boolean;
  /** A server that was given by Temporal's own variables or profile file; otherwise the local service is used. */
  server: { connection: ServerAddress; namespace: string } | undefined;
}

/** Settings from the environment alone: enough for the background service, whose starter puts everything there. */
export function readSettings(env: Environment): Settings {
  return resolveSettings([environmentLayer(env, 'service')], env);
}

/** With the config files of a folder below the environment; a project's file counts once it is trusted. */
export async function loadSettings(env: Environment, folder: string): Promise<Settings> {
  const files = await readConfigFiles({ env, folder, trustOf: trustIn(env) });
  const fileLayers = files.flatMap(({ layer }) => (layer === undefined ? [] : [layer]));
  return resolveSettings([...fileLayers, environmentLayer(env, 'service')], env);
}

/** The environment of the background service, which has no folder to look for files in. */
export function serviceEnvironment(
  env: Environment,
  { taskQueue, host, idle, logging, codecKeys }: Settings,
): Environment {
  return {
    ...env,
    ...absolute(env, ['HEDDLE_HOME', 'HEDDLE_CONFIG', 'HEDDLE_TOKENS_FILE']),
    HEDDLE_TASK_QUEUE: taskQueue,
    HEDDLE_HOST: host,
    HEDDLE_CODEC_KEYS: codecKeys,
    HEDDLE_IDLE: writeDuration(idle),
    HEDDLE_LOG_LEVEL: logging.level,
    HEDDLE_LOG_FORMAT: logging.format,
    HEDDLE_LOG_RETENTION: writeDuration(logging.retention),
    HEDDLE_LOG_RETRY_RETENTION: writeDuration(logging.retryRetention),
  };
}

/** The service works in another folder than its starter. */
const absolute = (env: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(
    names.flatMap((name) => {
      const place = nonEmpty(env[name]);
      return place === undefined ? [] : [[name, resolve(place)]];
    }),
  );

const idleDefault = 10 * 60_000;

/** Only the keys about processes count here: the rest of the layers need not fit together, or be trusted. */
function resolveSettings(layers: readonly ConfigLayer[], env: Environment): Settings {
  const values = layers.map(({ values }) => pick(values, serviceKeys));
  const { taskQueue, host, idle, logging, codec } = mergeConfig<Pick<Config, (typeof serviceKeys)[number]>>(
    {},
    ...values,
  );
  const metrics = nonEmpty(env['HEDDLE_METRICS']);
  const buildId = nonEmpty(env['HEDDLE_BUILD_ID']);
  return {
    taskQueue: taskQueue ?? defaultTaskQueue,
    host: host ?? hostname(),
    idle: idle ?? idleDefault,
    grace: readDuration(env, 'HEDDLE_GRACE') ?? workerLimits.drainGrace,
    logging: { ...defaultLogging, ...logging },
    metrics: metrics === undefined ? undefined : parseMetricsAddress(metrics),
    deployment: buildId === undefined ? undefined : { name: nonEmpty(env['HEDDLE_DEPLOYMENT']) ?? 'heddle', buildId },
    codecKeys: codec?.keys === undefined ? undefined : resolve(codec.keys),
    console: nonEmpty(env['HEDDLE_NO_CONSOLE']) === undefined,
    server: givenServer(env),
  };
}

function readDuration(env: Environment, name: string): number | undefined {
  const text = nonEmpty(env[name]);
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0) return duration;
  throw new HeddleError({
    code: 'CONFIG_WRONG_TYPE',
    message: `${name} is ${text}, which is not a duration`,
    where: 'environment',
    hint: 'Write it as 30s, 10m or 2h.',
  });
}

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text;

/** Temporal's own configuration: the same variables and file as its command line uses. */
function givenServer(env: Environment): Settings['server'] {
  const strings = Object.fromEntries(
    // An empty variable is an unset one: that is how a compose file passes on what nobody gave.
    Object.entries(env).filter((entry): entry is [string, string] => nonEmpty(entry[1]) !== undefined),
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
