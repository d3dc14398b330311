import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { workspaceFiles } from '../../home/home-layout.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { ensureFolder } from '../../system/durable-file.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';
import { openDatabase } from '../../store/open-database.ts';

/** The last in the line, by folder: in one process they take turns in order, so that nobody starves. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs an action while nobody else, in this process or another, looks at or changes the same shadow repository. Between processes
 * it is an exclusive transaction on an empty SQLite file: the kernel ends it with its process, whatever ends that.
 */
export async function withWorkspaceLock<T>(folder: string, deadline: number, action: () => Promise<T>): Promise<T> {
  const before = turns.get(folder) ?? Promise.resolve();
  const mine = Promise.withResolvers<undefined>();
  const turn = before.then(() => mine.promise);
  turns.set(folder, turn);
  void turn.then(() => (turns.get(folder) === turn ? turns.delete(folder) : undefined));
  try {
    await isMyTurn(before, deadline);
    return await locked(folder, deadline, action);
  } finally {
    mine.resolve(undefined);
  }
}

async function isMyTurn(before: Promise<unknown>, deadline: number): Promise<void> {
  const patience = new AbortController();
  const left = Math.min(Math.max(0, deadline - performance.now()), activityLimits.workspace.commandTimeout);
  const late = sleep(left, 'late', { signal: patience.signal });
  late.catch(() => undefined);
  try {
    if ((await Promise.race([before, late])) === 'late') throw busy();
  } finally {
    patience.abort();
  }
}

const busy = (): SnapshotTrouble => new SnapshotTrouble('other processes kept the workspace locked');

async function locked<T>(folder: string, deadline: number, action: () => Promise<T>): Promise<T> {
  await ensureFolder(folder);
  let lock = tryLock(folder);
  while (lock === undefined) {
    if (performance.now() >= deadline) throw busy();
    await sleep(activityLimits.workspace.lockPoll);
    lock = tryLock(folder);
  }
  try {
    return await action();
  } finally {
    lock.close();
  }
}

function tryLock(folder: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(workspaceFiles(folder).lock, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** SQLite's own code for "somebody else holds it". */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
