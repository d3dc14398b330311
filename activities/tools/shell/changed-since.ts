import { lstat } from 'node:fs/promises';
import { formatList } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { hiddenFolders } from '../confine/guarded-folders.ts';
import { withFolder } from '../confine/open-folder.ts';
import type { Roots } from '../confine/open-confined.ts';
import { newWalk, walkBelow } from '../confine/walk-below.ts';

const { clockSlack, namedFiles } = activityLimits.commands;

/**
 * For the model: what was changed in the workspace since then, by the time that the system itself notes. A folder whose entries changed
 * stands for what was removed from it.
 */
export async function formatChangedSince(roots: Roots, at: number, signal: AbortSignal): Promise<string> {
  const since = at - clockSlack;
  const changed: string[] = [];
  const isComplete = await withFolder(roots, '.', async (folder) => {
    const walk = newWalk(hiddenFolders(roots));
    for await (const { folder: parent, name, path, entry } of walkBelow(folder, walk, signal)) {
      if (path === '.git') continue;
      const stats = await lstat(parent.at(name)).catch(() => undefined);
      if (stats !== undefined && stats.ctimeMs >= since) changed.push(entry.isDirectory() ? `${path}/` : path);
    }
    return walk.left > 0;
  });
  const unseen = isComplete ? '' : ' There are more files than were looked at.';
  if (changed.length === 0) return `No file outside .git and node_modules has changed since it began.${unseen}`;
  return `Changed since it began, by it or by something else: ${formatList(changed, namedFiles)}.${unseen}`;
}
