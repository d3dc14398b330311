import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../activities/programs/process-identity.ts';
import type { ServicePort } from '../../client/ports/service.ts';
import { heddleHome } from '../home/home.ts';
import { claimHome } from '../service/claim-home.ts';
import { currentService, requireCurrent } from '../service/current-service.ts';
import { runService } from '../service/run-service.ts';
import { runWorker } from '../service/run-worker.ts';
import { touchLastUsed, type ServiceInfo } from '../service/service-info.ts';
import { toUpInfo } from './local-service.ts';
import { loadSettings } from '../settings/settings.ts';
import { createLogger, installRuntime } from '../telemetry/logger.ts';
import { RetryLog } from '../telemetry/retry-log.ts';
import { checkAddressIsFree } from '../settings/metrics-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function up(env: Environment, cwd: string, options: Parameters<ServicePort['up']>[0]): Promise<void> {
  const settings = await loadSettings(env, cwd);
  const { server } = settings;
  if (server !== undefined) {
    const onReady = ({ address }: { address: string }): void =>
      options.onReady({ temporalAddress: address, webUi: env['TEMPORAL_UI_URL'] ?? null, pid: process.pid });
    return runWorker(env, cwd, { onReady, signal: options.signal });
  }
  const home = heddleHome(env);
  touchLastUsed(home);
  await currentService(home, options.progress);
  const claim = await claimHome(home);
  if ('service' in claim) return stayWith(requireCurrent(claim.service), options);
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
    onReady: (info) => options.onReady(toUpInfo(info)),
    endsWhenIdle: false,
  });
}

/** One service a home: a second `up` shows the first one and stays as long as it does. */
async function stayWith(info: ServiceInfo, options: Parameters<ServicePort['up']>[0]): Promise<void> {
  options.onReady(toUpInfo(info));
  while (!options.signal.aborted && isAlive(info)) await sleep(200);
}
