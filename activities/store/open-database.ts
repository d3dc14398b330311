import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { HeddleError } from '../../domain/errors/heddle-error.ts';

/** The first Node that has SQLite without a flag. */
const leastNode = '22.13';

/** Loaded when it is needed: `heddle` goes on with a newer Node by itself, and a worker of one's own is told which one it needs. */
export function openDatabase(file: string, options: { timeout: number }): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  return new Database(file, options);
}

/** Throws `NODE_TOO_OLD` where this Node cannot run activities. */
export function loadSqlite(load: (name: string) => unknown = createRequire(import.meta.url)) {
  try {
    return load('node:sqlite') as { DatabaseSync: typeof DatabaseSync };
  } catch {
    throw new HeddleError({
      code: 'NODE_TOO_OLD',
      message: `Heddle's activities need Node ${leastNode} or newer, and this is ${process.version}.`,
      hint: 'Run the worker with a newer Node; `heddle worker` finds one by itself.',
    });
  }
}
