import type { DatabaseSync } from 'node:sqlite';
import { serviceFiles } from '../../activities/home/home-layout.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { type HeddleHome, makeFolder } from './home.ts';
import { openDatabase } from '../../activities/store/open-database.ts';

export interface HomeLock {
  release(): void;
}

/**
 * One service per home: an exclusive transaction on an empty SQLite file. The kernel holds the lock, so it ends with its process,
 * whatever ends that. Nothing else may open the file: closing it once would drop the lock of this process.
 */
export function tryLock(home: Pick<HeddleHome, 'run'>): HomeLock | undefined {
  makeFolder(home.run);
  const file = serviceFiles(home.run).lock;
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file, { timeout: workerLimits.server.lockWait });
    database.exec('BEGIN EXCLUSIVE');
    return hold(database);
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw broken(file, error);
  }
}

/** A caller may drop what it got: the lock must not end when the garbage is collected. */
const held = new Set<DatabaseSync>();

function hold(database: DatabaseSync): HomeLock {
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

/** SQLite's own code for "somebody else holds it". */
function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

function broken(file: string, error: unknown): HeddleError {
  return new HeddleError({
    code: 'HOME_LOCK_BROKEN',
    message: `The lock of Heddle's home cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    where: file,
    hint: 'Check that no service runs, then delete the file.',
  });
}
