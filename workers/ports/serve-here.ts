import type { ServicePort } from '../../client/ports/service.ts';
import type { ApiPorts } from '../serve/start-api.ts';
import { heddleHome, type Environment } from '../home/home.ts';
import { readServiceInfo } from '../service/service-info.ts';
import { loadSettings } from '../settings/settings.ts';
import { createLogger } from '../telemetry/logger.ts';
import { connect } from './connect.ts';
import { describeConsole } from './describe-console.ts';
import { serveApi } from './serve-api.ts';

/** The API and the console alone. Resolves when it has been stopped. */
export async function serve(
  env: Environment,
  cwd: string,
  { ports, onReady, signal, ...flags }: Parameters<ServicePort['serve']>[0] & { ports: ApiPorts },
): Promise<void> {
  const logger = createLogger({ stderr: true }, (await loadSettings(env, cwd)).logging);
  const log = (error: unknown): void => logger.error({ err: error }, 'the API');
  const home = heddleHome(env);
  const api = await serveApi(
    { env, ports, flags, log },
    {
      connect: () => connect(env, cwd, { progress: () => undefined, anyVersion: false }),
      // A local service that went to sleep is woken by the next request, and is another one then.
      generation: () => readServiceInfo(home)?.startTime ?? 'given',
    },
  );
  try {
    const { console, api: base, pid } = api.record;
    onReady({ ...describeConsole(home, api.record), console, api: base, pid });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await api.close();
  }
}
