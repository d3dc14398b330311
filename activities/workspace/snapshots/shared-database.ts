import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../store/open-database.ts';

interface Shared {
  database: DatabaseSync;
  inode: bigint;
  users: number;
  idle?: NodeJS.Timeout;
}

/** Long enough for the snapshots of one attempt and the next. */
const idleTime = 5_000;

const shared = new Map<string, Shared>();

/**
 * A connection that stays open for a while after its last use: closing the last one of a database costs several syncs of the disk,
 * which would be most of what a snapshot costs. Give it back with `release`.
 */
export function openShared(file: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  const known = shared.get(file);
  if (known !== undefined && known.inode === inodeOf(file)) {
    clearTimeout(known.idle);
    known.users += 1;
    return known.database;
  }
  // Somebody has removed the folder: what is written into the old file would be lost.
  if (known !== undefined) drop(file, known);
  const database = openDatabase(file, { timeout: 5_000 });
  try {
    prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  shared.set(file, { database, inode: inodeOf(file) ?? 0n, users: 1 });
  return database;
}

export function release(file: string, database: DatabaseSync): void {
  const known = shared.get(file);
  if (known?.database !== database) return;
  known.users -= 1;
  if (known.users > 0) return;
  known.idle = setTimeout(() => drop(file, known), idleTime);
  known.idle.unref();
}

function drop(file: string, known: Shared): void {
  clearTimeout(known.idle);
  if (shared.get(file) === known) shared.delete(file);
  known.database.close();
}

const inodeOf = (file: string): bigint | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
