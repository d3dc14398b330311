// The lines of the SDK that reach the log, by `logging.level`.
import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { RetryEntry } from '../../../domain/attempt/retry-entry.ts';
import { forwardTo } from '../../../workers/telemetry/logger.ts';

function linesAt(level: string): { lines: unknown[]; retries: unknown[] } {
  const [lines, retries]: [unknown[], unknown[]] = [[], []];
  const target = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push((JSON.parse(line.toString()) as { msg: string }).msg);
      done();
    },
  });
  const log = { write: (entries: readonly RetryEntry[]) => void retries.push(...entries) };
  const forward = forwardTo(pino({ level }, target), log);
  forward.trace('a trace');
  forward.debug('a step');
  forward.info('an event', { retry: ['an entry'] });
  forward.error('an error');
  return { lines, retries };
}

test.each<[level: string, lines: string[]]>([
  ['trace', ['a trace', 'a step', 'an event', 'an error']],
  ['debug', ['a step', 'an event', 'an error']],
  ['info', ['an event', 'an error']],
  ['error', ['an error']],
  ['silent', []],
])('%s has what it says, and the retry log has its entries at any level', (level, lines) => {
  expect(linesAt(level)).toEqual({ lines, retries: ['an entry'] });
});
