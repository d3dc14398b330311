import { inspect } from 'node:util';
import type pino from 'pino';

const names: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Said first, or of no use to people. */
const shownFields = ['time', 'level', 'msg', 'pid', 'err'];

/** Lines for people instead of JSON: time, level, what happened, and what it is about. */
export function textLines(target: pino.DestinationStream): pino.DestinationStream {
  return { write: (line) => target.write(`${toText(JSON.parse(line) as Record<string, unknown>)}\n`) };
}

function toText(line: Record<string, unknown>): string {
  const level = names[Number(line['level'])] ?? 'INFO';
  const about = Object.entries(line).filter(([key]) => !shownFields.includes(key));
  const error =
    line['err'] instanceof Object && 'message' in line['err'] ? [['error', line['err'].message] as const] : [];
  return [
    new Date(Number(line['time'])).toISOString(),
    level.padEnd(5),
    textOrEmpty(line['msg']),
    ...[...about, ...error].map(([key, value]) => `${key}=${formatValue(value)}`),
  ].join(' ');
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return inspect(value, { breakLength: Infinity, depth: 2 });
}
