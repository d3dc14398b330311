import { DefaultLogger, makeTelemetryFilterString, Runtime, type LogLevel } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import type { RetryEntry } from '../../domain/attempt/retry-entry.ts';
import type { Logging } from '../settings/settings.ts';
import { dailyLog } from './daily-log.ts';
import { histogramBuckets } from './instruments.ts';
import type { MetricsAddress } from '../settings/metrics-address.ts';
import type { RetryLog } from './retry-log.ts';
import { textLines } from './text-format.ts';

const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Events and retries of tasks are told in any case, the steps of the SDK where somebody wants to see them. */
const workerLevels: Record<string, LogLevel> = { trace: 'TRACE', debug: 'DEBUG' };

/** One logger for a process: lines to files by day, or to stderr. */
export function createLogger(destination: { folder: string } | { stderr: true }, logging: Logging): Logger {
  const target = 'folder' in destination ? dailyLog(destination.folder, 'service', logging) : pino.destination(2);
  const lines = logging.format === 'text' ? textLines(target) : target;
  return pino({ level: logging.level, base: { pid: process.pid } }, lines);
}

/** Passes the lines of the SDK, the workflows and the activities to pino, and those on retries to their own log. */
export function forwardTo(logger: Logger, retryLog?: Pick<RetryLog, 'write'>): DefaultLogger {
  return new DefaultLogger(workerLevels[logger.level] ?? 'INFO', ({ level, message, meta }) => {
    const { error, retry, ...rest } = (meta ?? {}) as Record<string, unknown> & { retry?: RetryEntry[] };
    // A workflow's facts on retries travel with its lines: only a worker may write files.
    if (retry !== undefined) retryLog?.write(retry);
    logger[levels[level]](error === undefined ? rest : { ...rest, err: error }, message);
  });
}

/** Lines to pino and the retry log, metrics to Prometheus. Once per process, before any connection. */
export function installRuntime(logger: Logger, metrics?: MetricsAddress, retryLog?: RetryLog): Runtime {
  const logging = { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) };
  return Runtime.install({
    logger: forwardTo(logger, retryLog),
    // We drain by ourselves: a signal must reach the command before the worker.
    shutdownSignals: [],
    telemetryOptions: { logging, ...(metrics === undefined ? {} : { metrics: prometheus(metrics) }) },
  });
}

function prometheus({ host, port }: MetricsAddress) {
  const bindAddress = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { prometheus: { bindAddress, ...naming, histogramBucketOverrides: histogramBuckets } };
}
