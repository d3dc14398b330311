import type { Endpoint } from '../../client/ports/service.ts';
import { HeddleClient } from '../../client/sdk/heddle-client.ts';
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
  return connectLocal(env, running ?? (await startService(env, settings, progress)));
}

export async function connectIfRunning(env: Environment, cwd: string): Promise<Endpoint | undefined> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  const info = await settledService(homeOfAnyVersion(env));
  return info === undefined ? undefined : connectLocal(env, info);
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
      { taskQueue: settings.taskQueue, readStored: (ref) => readStored(heddleHome(env).store, ref) },
    ),
    address: connection.address,
    namespace,
    webUi: env['TEMPORAL_UI_URL'] ?? null,
    local: false,
  };
}

export async function connectLocal(env: Environment, info: ServiceInfo): Promise<Endpoint> {
  const { temporalAddress: address, namespace, webUi, taskQueue } = info;
  const client = await HeddleClient.connect(
    { address, namespace },
    {
      taskQueue,
      workflowTaskTimeout: localWorkflowTaskTimeout,
      readStored: (ref) => readStored(heddleHome(env).store, ref),
    },
  );
  return { client, address, namespace, webUi, local: true };
}
