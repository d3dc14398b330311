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
  const entry = shared.get(file);
  if (entry !== undefined && entry.inode === readInode(file)) {
    clearTimeout(entry.idle);
    entry.users += 1;
    return entry.database;
  }
  // Somebody has removed the folder: what is written into the old file would be lost.
  if (entry !== undefined) drop(file, entry);
  const database = openDatabase(file, { timeout: 5_000 });
  try {
    prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  shared.set(file, { database, inode: readInode(file) ?? 0n, users: 1 });
  return database;
}

export function release(file: string, database: DatabaseSync): void {
  const entry = shared.get(file);
  if (entry?.database !== database) return;
  entry.users -= 1;
  if (entry.users > 0) return;
  entry.idle = setTimeout(() => drop(file, entry), idleTime);
  entry.idle.unref();
}

function drop(file: string, entry: Shared): void {
  clearTimeout(entry.idle);
  if (shared.get(file) === entry) shared.delete(file);
  entry.database.close();
}

const readInode = (file: string): bigint | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
