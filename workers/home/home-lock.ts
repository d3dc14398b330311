import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceFiles } from '../../activities/home-layout.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { workerLimits } from '../limits.ts';
import { type HeddleHome, makeFolder } from './home.ts';

type RunFolder = Pick<HeddleHome, 'run'>;

export interface HomeLock {
  release(): void;
}

/**
 * One service per home: an exclusive transaction on an empty SQLite file. The kernel holds the lock, so it ends with its process,
 * whatever ends that. Nothing else may open the file: closing it once would drop the lock of this process.
 */
export function tryLock(home: RunFolder): HomeLock | undefined {
  makeFolder(home.run);
  return begin(home, 'EXCLUSIVE', workerLimits.server.lockWait);
}

/** Whether some process holds the lock now. */
export function isLocked(home: RunFolder): boolean {
  if (!existsSync(serviceFiles(home.run).lock)) return false;
  const looked = begin(home, 'DEFERRED', 0);
  looked?.release();
  return looked === undefined;
}

/** Takes the lock as soon as its holder lets go, or gives up after `ms`. */
export async function waitForLock(home: RunFolder, ms: number): Promise<HomeLock | undefined> {
  makeFolder(home.run);
  const deadline = Date.now() + ms;
  for (;;) {
    const lock = begin(home, 'EXCLUSIVE', 0);
    if (lock !== undefined || Date.now() >= deadline) return lock;
    await sleep(workerLimits.server.lockPoll);
  }
}

function begin(home: RunFolder, mode: 'EXCLUSIVE' | 'DEFERRED', timeout: number): HomeLock | undefined {
  const file = serviceFiles(home.run).lock;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout });
    database.exec(`BEGIN ${mode}`);
    // A deferred transaction asks the kernel only when it reads.
    database.exec('SELECT count(*) FROM sqlite_schema');
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
