import type { ApiPorts } from '../serve/start-api.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../activities/programs/process-identity.ts';
import type { ServicePort } from '../../client/ports/service.ts';
import { heddleHome, type HeddleHome } from '../home/home.ts';
import { claimHome } from '../service/claim-home.ts';
import { currentService, requireCurrent } from '../service/current-service.ts';
import { runService } from '../service/run-service.ts';
import { runWorker } from '../service/run-worker.ts';
import { touchLastUsed, type ServiceInfo } from '../service/service-info.ts';
import { connectGiven } from './connect.ts';
import { toUpInfo } from './local-service.ts';
import { describeConsole } from './describe-console.ts';
import { serveApi, serveOwn } from './serve-api.ts';
import { loadSettings } from '../settings/settings.ts';
import { createLogger, installRuntime } from '../telemetry/logger.ts';
import { RetryLog } from '../telemetry/retry-log.ts';
import { checkAddressIsFree } from '../settings/metrics-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function up(
  env: Environment,
  cwd: string,
  options: Parameters<ServicePort['up']>[0] & { ports: ApiPorts },
): Promise<void> {
  const settings = await loadSettings(env, cwd);
  const { server } = settings;
  const { ports } = options;
  if (server !== undefined) {
    const logger = createLogger({ stderr: true }, settings.logging);
    const log = (error: unknown): void => logger.error({ err: error }, 'the API');
    const api = settings.console
      ? await serveApi({ env, ports, log }, { connect: () => connectGiven(env, settings, server) })
      : undefined;
    const onReady = ({ address: temporalAddress }: { address: string }): void => {
      const webUi = env['TEMPORAL_UI_URL'] ?? null;
      options.onReady({ ...describeConsole(heddleHome(env), api?.record), temporalAddress, webUi, pid: process.pid });
    };
    try {
      return await runWorker(env, cwd, { onReady, signal: options.signal });
    } finally {
      await api?.close();
    }
  }
  const home = heddleHome(env);
  touchLastUsed(home);
  await currentService(home, options.progress);
  const claim = await claimHome(home);
  if ('service' in claim) return stayWith(home, requireCurrent(claim.service), options);
  const logger = createLogger({ folder: home.logs }, settings.logging);
  if (settings.metrics !== undefined) await checkAddressIsFree(settings.metrics);
  installRuntime(logger, settings.metrics, new RetryLog(home.logs, logger));
  await runService({
    home,
    env,
    settings,
    logger,
    lock: claim.lock,
    signal: options.signal,
    progress: options.progress,
    onReady: (info) => options.onReady(toUpInfo(home, info)),
    ...(settings.console
      ? { startApi: serveOwn({ env, ports, log: (error) => logger.error({ err: error }, 'the API') }) }
      : {}),
    endsWhenIdle: false,
  });
}

/** One service a home: a second `up` shows the first one and stays as long as it does. */
async function stayWith(home: HeddleHome, info: ServiceInfo, options: Parameters<ServicePort['up']>[0]): Promise<void> {
  options.onReady(toUpInfo(home, info));
  while (!options.signal.aborted && isAlive(info)) await sleep(200);
}
