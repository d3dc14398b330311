import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { activityLimits } from '../limits/activity-limits.ts';
import { isAlive } from '../programs/process-identity.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import { readRecord } from './running-record.ts';

/**
 * Waits until a run of another process of this host has ended, or its process has. False when it is overdue: nobody holds its time
 * limit any more.
 */
export async function awaitElsewhere(
  paths: AttemptPaths,
  run: string,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<boolean> {
  const deadline = performance.now() + timeout + activityLimits.joinOverdue;
  try {
    while (performance.now() < deadline && !signal.aborted) {
      if (!(await stillRuns(paths, run))) return true;
      // Tells the owner that its program is still wanted.
      await writeFile(paths.awaited, '', { mode: 0o600 });
      await sleep(activityLimits.joinPoll, undefined, { signal }).catch(() => undefined);
    }
    return false;
  } finally {
    await rm(paths.awaited, { force: true });
  }
}

async function stillRuns(paths: AttemptPaths, run: string): Promise<boolean> {
  const record = await readRecord(paths);
  if (record === undefined || record === 'unreadable') return false;
  return record.state === 'running' && record.run === run && record.owner !== undefined && isAlive(record.owner);
}

/** Returns true while another process waits for the execution that this one owns. */
export async function isAwaited(paths: AttemptPaths): Promise<boolean> {
  const sign = await stat(paths.awaited).catch(() => undefined);
  return sign !== undefined && Date.now() - sign.mtimeMs < activityLimits.joinSign;
}
