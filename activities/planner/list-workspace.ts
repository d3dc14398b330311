import { activityLimits } from '../limits/activity-limits.ts';
import { listFilesBelow } from '../verify/files/list-files.ts';

/** Names of files, those near the top first: they say most about what is there. */
export async function listWorkspace(
  workspace: string,
  signal: AbortSignal,
): Promise<{ files: string[]; isCut: boolean }> {
  const { files: most } = activityLimits.planner;
  const { paths } = await listFilesBelow(workspace, most + 1, signal);
  return { files: paths.slice(0, most), isCut: paths.length > most };
}
