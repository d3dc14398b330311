import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { readEntries } from '../../domain/conversation/read-entries.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import { listAnswered, listReads, type SourceRead } from './list-reads.ts';

/**
 * Lists what all agents of a task have read so far, by the logs of their conversations on this host. Logs of another server's task with
 * the same id have other names. Logs beyond the limit are not looked at: their sources count as not read.
 */
export async function readsOfTask(
  { folder, own, stem, conversation }: AttemptPaths,
  store: Pick<Store, 'get'>,
): Promise<SourceRead[]> {
  const suffix = `${own.slice(stem.length)}.jsonl`;
  let left: number = activityLimits.evidence.conversationBytes;
  const reads: SourceRead[] = [];
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();
    for (const name of names) {
      const path = join(folder, name);
      if (path === conversation) continue;
      left -= (await stat(path)).size;
      if (left < 0) break;
      const read = readEntries(await readFile(path, 'utf8'));
      if (!('damaged' in read)) reads.push(...listReads(listAnswered(read.entries), store));
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  return reads;
}
