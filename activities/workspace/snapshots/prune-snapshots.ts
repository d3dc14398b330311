import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { forgetSnapshots } from './forget-task.ts';
import { Journal } from './journal.ts';
import { workspacesFolder } from '../../home/home-layout.ts';
import type { SnapshotParts } from './snapshots.ts';

export interface PruneSnapshots {
  /** By the time of a task's last snapshot, in milliseconds. */
  isOld: (at: number) => boolean;
  openTasks: ReadonlySet<string>;
  dryRun: boolean;
}

/** Forgets the snapshots of old tasks that have ended, and workspaces that are gone. Tells of how many tasks. */
export async function pruneSnapshots(parts: SnapshotParts, request: PruneSnapshots): Promise<number> {
  let pruned = 0;
  const folders = existsSync(workspacesFolder(parts.root)) ? readdirSync(workspacesFolder(parts.root)) : [];
  for (const name of folders) {
    const folder = join(workspacesFolder(parts.root), name);
    if (!Journal.exists(folder)) continue;
    const { workspace, used } = Journal.with(folder, undefined, (journal) => ({
      workspace: journal.workspace,
      used: lastUse(journal),
    }));
    const isOld = (task: string, at: number): boolean => request.isOld(at) && !request.openTasks.has(task);
    const old = [...used].filter(([task, at]) => isOld(task, at)).map(([task]) => task);
    if (request.dryRun) pruned += old.length;
    else if (old.length === used.size && !existsSync(workspace)) {
      await rm(folder, { recursive: true, force: true });
      pruned += old.length;
    } else for (const task of old) if (await forgetSnapshots(parts, task, request.isOld)) pruned += 1;
  }
  return pruned;
}

function lastUse(journal: Journal): Map<string, number> {
  const used = new Map<string, number>();
  for (const { writer, at } of journal.marks()) used.set(writer.task, Math.max(at, used.get(writer.task) ?? 0));
  // Some marks of a forgotten task stay where another task needs them.
  for (const task of [...used.keys()]) if (!journal.knows(task)) used.delete(task);
  return used;
}
