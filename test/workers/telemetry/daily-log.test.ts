// The service's log: a file for each day, kept for 30 days; the retry log for people beside it for 7.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { defaultLogging } from '../../../domain/config/keys/limit-keys.ts';
import { dailyLog } from '../../../workers/telemetry/daily-log.ts';

test('lines go to the file of their day, and files go when they are older than 30 days', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const old = (name: string, days: number): void => {
    writeFileSync(join(folder, name), 'x');
    const then = new Date(Date.UTC(2026, 0, 31) - days * 24 * 60 * 60_000);
    utimesSync(join(folder, name), then, then);
  };
  old('service-2025-12-01.log', 61);
  old('temporal.log.1', 31);
  old('temporal.log', 20);
  old('start-1.json', 100);
  old('retry-2026-01-23.log', 8);
  old('retry-2026-01-23.jsonl', 8);
  old('retry-2025-12-31.jsonl', 31);
  old('retry-2026-01-25.log', 5);
  let now = new Date('2026-01-31T23:59:59Z');
  const logger = pino(
    {},
    dailyLog(folder, 'service', defaultLogging, () => now),
  );
  logger.info('before midnight');
  now = new Date('2026-02-01T00:00:01Z');
  logger.info('after midnight');
  expect(readdirSync(folder).sort()).toEqual([
    'retry-2026-01-23.jsonl',
    'retry-2026-01-25.log',
    'service-2026-01-31.log',
    'service-2026-02-01.log',
    'start-1.json',
    'temporal.log',
  ]);
  expect(readFileSync(join(folder, 'service-2026-01-31.log'), 'utf8')).toContain('before midnight');
  expect(readFileSync(join(folder, 'service-2026-02-01.log'), 'utf8')).toContain('after midnight');
});
