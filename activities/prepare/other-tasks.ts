import { existsSync } from 'node:fs';
import type { FolderTask, OtherTasks } from '../../domain/types/basic/workspace.ts';
import { leasesIn } from './workspace-lease.ts';

/** Asks whether a task has not ended; `unknown` when its server cannot be asked. */
export type IsTaskOpen = (task: FolderTask) => Promise<boolean | 'unknown'>;

/** The tasks besides one that have leases of a folder, one above it or one below it. */
export async function findOtherTasks(
  file: string,
  { task, workspace }: { task: string; workspace: string },
  isOpen: IsTaskOpen,
): Promise<OtherTasks> {
  const others: OtherTasks = { open: [], ended: [] };
  if (!existsSync(file)) return others;
  for (const { taskId, workflowId, server } of leasesIn(file, workspace)) {
    if (taskId === task) continue;
    const state = await isOpen({ task: taskId, workflowId, serverId: server.id });
    if (state === true) others.open.push(taskId);
    if (state === false) others.ended.push(taskId);
  }
  return others;
}
