import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { workerLimits } from '../limits/worker-limits.ts';
import { makeFolder } from '../home/home.ts';

/** The last lines of the log hold the reason of a failed start. */
const tailBytes = 4_096;

/** Opens the log for appending; a large one is put aside first. Returns the descriptor and where this run begins. */
export function openServerLog(file: string): { descriptor: number; start: number } {
  makeFolder(dirname(file));
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > workerLimits.server.logBytes) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  return { descriptor, start: size > workerLimits.server.logBytes ? 0 : size };
}

/** The end of what was written since `start`. */
export function readServerLog(file: string, start: number): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const from = Math.max(start, size - tailBytes);
  if (size <= from) return '';
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(size - from);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, from)).trim();
  } finally {
    closeSync(descriptor);
  }
}
