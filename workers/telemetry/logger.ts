import { DefaultLogger, makeTelemetryFilterString, Runtime, type LogLevel } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { dailyLog } from './daily-log.ts';
import type { MetricsAddress } from './metrics-address.ts';

const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** One logger for a process: JSON lines to files by day, or to stderr. */
export function createLogger(destination: { folder: string } | { stderr: true }): Logger {
  const target = 'folder' in destination ? dailyLog(destination.folder, 'service') : pino.destination(2);
  return pino({ level: process.env['HEDDLE_LOG_LEVEL'] ?? 'info', base: { pid: process.pid } }, target);
}

/** Sends what the SDK, the workflows and the activities log to pino, and its metrics to Prometheus. Once per process, before any connection. */
export function installRuntime(logger: Logger, metrics?: MetricsAddress): void {
  const forward = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { error, ...rest } = (meta ?? {}) as Record<string, unknown>;
    logger[levels[level]](error === undefined ? rest : { ...rest, err: error }, message);
  });
  const logging = { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) };
  Runtime.install({
    logger: forward,
    // We drain by ourselves: a signal must reach the command before the worker.
    shutdownSignals: [],
    telemetryOptions: { logging, ...(metrics === undefined ? {} : { metrics: prometheus(metrics) }) },
  });
}

function prometheus({ host, port }: MetricsAddress) {
  const bindAddress = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return { prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } };
}
