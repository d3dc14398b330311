import type { Endpoint } from '../../client/ports/service.ts';
import { HeddleClient, type HeddleClientOptions } from '../../client/sdk/heddle-client.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { heddleHome, homeOfAnyVersion } from '../home/home.ts';
import { settledService } from '../service/claim-home.ts';
import { readServiceInfo, type ServiceInfo } from '../service/service-info.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { startService } from './local-service.ts';
import { readStored } from './read-store.ts';

/** Server and worker of the local service are one machine: a lost workflow task need not wait 10 s. */
const localWorkflowTaskTimeout = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

export async function connect(
  env: Environment,
  cwd: string,
  { progress, anyVersion }: { progress: (text: string) => void; anyVersion: boolean },
): Promise<Endpoint> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  const running = anyVersion ? readServiceInfo(homeOfAnyVersion(env)) : undefined;
  return connectLocal(env, settings, running ?? (await startService(env, settings, progress)));
}

export async function connectIfRunning(env: Environment, cwd: string): Promise<Endpoint | undefined> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  const info = await settledService(homeOfAnyVersion(env));
  return info === undefined ? undefined : connectLocal(env, settings, info);
}

export async function connectGiven(
  env: Environment,
  settings: Settings,
  server: NonNullable<Settings['server']>,
): Promise<Endpoint> {
  const { connection, namespace } = server;
  return {
    client: await HeddleClient.connect(
      { ...connection, namespace },
      { ...buildOptions(env, settings), taskQueue: settings.taskQueue },
    ),
    address: connection.address,
    namespace,
    webUi: env['TEMPORAL_UI_URL'] ?? null,
    local: false,
  };
}

/** Its worker could read nothing that this command sends. */
const serviceWithoutKeys = (file: string): HeddleError =>
  new HeddleError({
    code: 'CODEC_KEYS_INVALID',
    message: 'The local service runs without the keys of this command',
    where: file,
    hint: 'Stop it with `heddle down`; the next command starts it with the keys.',
  });

function buildOptions(env: Environment, { codecKeys }: Pick<Settings, 'codecKeys'>): HeddleClientOptions {
  return {
    readStored: (ref) => readStored(heddleHome(env).store, ref),
    ...(codecKeys === undefined ? {} : { codecKeys }),
  };
}

export async function connectLocal(
  env: Environment,
  settings: Pick<Settings, 'codecKeys'>,
  info: ServiceInfo,
): Promise<Endpoint> {
  if (settings.codecKeys !== undefined && info.encrypts !== true) throw serviceWithoutKeys(settings.codecKeys);
  const { temporalAddress: address, namespace, webUi, taskQueue } = info;
  const client = await HeddleClient.connect(
    { address, namespace },
    {
      ...buildOptions(env, settings),
      taskQueue,
      workflowTaskTimeout: localWorkflowTaskTimeout,
    },
  );
  return { client, address, namespace, webUi, local: true };
}
