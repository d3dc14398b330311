import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';

import { activityLimits } from '../../limits/activity-limits.ts';
import { diskPath, type PathKey } from '../git/path-key.ts';

/** A snapshot may still look at so much below the folders that it leaves out. */
export interface StampBudget {
  entries: number;
}

/**
 * Tells two states of a generated folder apart without reading a file: by names, sizes and times of its first entries, shallow ones first.
 * Where there are more than the budget allows, a change deeper down may not show.
 */
export function stampGenerated(workspace: string, folder: PathKey, budget: StampBudget): string {
  const hash = createHash('sha1');
  const folders = [folder];
  let left = Math.min(activityLimits.workspace.generatedEntries, budget.entries);
  const note = (path: PathKey): boolean => {
    try {
      const stats = lstatSync(diskPath(workspace, path));
      hash.update(`${path}\0${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}\0`);
      return stats.isDirectory();
    } catch {
      // It vanished, or a folder was closed: that differs from what was there.
      hash.update(`${path}\0-\0`);
      return false;
    }
  };
  note(folder);
  for (let at = folders.shift(); at !== undefined && left > 0; at = folders.shift()) {
    for (const name of namesIn(workspace, at)) {
      if (left <= 0) break;
      left -= 1;
      budget.entries -= 1;
      const path = `${at}/${name}`;
      if (note(path)) folders.push(path);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function namesIn(workspace: string, folder: PathKey): string[] {
  try {
    const names = readdirSync(diskPath(workspace, folder), { encoding: 'buffer' });
    return names.map((name) => name.toString('latin1')).sort();
  } catch {
    return [];
  }
}
