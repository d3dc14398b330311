import { HeddleError, type Problem } from '../domain/errors/heddle-error.ts';
import { claimHome } from './service/claim-home.ts';
import { createLogger, installRuntime } from './telemetry/logger.ts';
import { checkAddressIsFree } from './settings/metrics-address.ts';
import { RetryLog } from './telemetry/retry-log.ts';
import { runService } from './service/run-service.ts';
import { createPorts } from './ports/create-ports.ts';
import { serveOwn } from './ports/serve-api.ts';
import { heddleHome } from './home/home.ts';
import { readSettings } from './settings/settings.ts';

/** The background service as a program of its own; `start-service.ts` starts it. What stops it is written where the starter reads it. */
async function main(): Promise<void> {
  const home = heddleHome(process.env);
  const settings = readSettings(process.env);
  const claim = await claimHome(home);
  if ('service' in claim) return;
  const logger = createLogger({ folder: home.logs }, settings.logging);
  if (settings.metrics !== undefined) await checkAddressIsFree(settings.metrics);
  installRuntime(logger, settings.metrics, new RetryLog(home.logs, logger));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const log = (error: unknown): void => logger.error({ err: error }, 'the API');
  const startApi = serveOwn({ env: process.env, ports: createPorts(process.env), log });
  await runService({
    home,
    env: process.env,
    settings,
    logger,
    lock: claim.lock,
    signal: stop.signal,
    progress: (text) => process.stdout.write(`${text}\n`),
    onReady: () => undefined,
    // Tasks run without it: a port that is taken, or a broken file of tokens, does not stop them.
    ...(settings.console
      ? {
          startApi: (service) =>
            startApi(service).catch((error: unknown) => {
              log(error);
              return undefined;
            }),
        }
      : {}),
    endsWhenIdle: true,
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const problem: Problem =
      error instanceof HeddleError
        ? error.toJSON()
        : { code: 'SERVICE_FAILED', message: error instanceof Error ? error.message : String(error) };
    process.stderr.write(`${JSON.stringify(problem)}\n`);
    process.exit(1);
  },
);
