import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';

import { formatList } from '../../domain/text/text.ts';
import { isSystemError } from '../system/system-error.ts';
import { pidsOfAttempt, removeAttemptGroup } from './control-group.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { isRunning } from './process-identity.ts';
import { endGroup } from './process-group.ts';
import { isZombie, readEnvironment, readStat } from './read-process.ts';

/** The same for the same attempt after a crash. */
export const keyVariable = 'HEDDLE_IDEMPOTENCY_KEY';

/** The known facts of a program whose worker is gone. */
export interface Orphan {
  host: string;
  /** How an entry in the environment of its processes, and of no others, begins. */
  mark: string;
  /** Unknown when the worker died between the start of the program and the record of it. */
  program?: ProcessIdentity;
}

/** The processes that were ended, and those that were not. */
export interface OrphanEnd {
  ended: number[];
  /** Groups that do not end. */
  left: number[];
  /** Why nobody knows whether anything of it runs. */
  unclear?: string;
}

/** A process that is being ended may have started another one: the search is repeated at most this often. */
const mostLooks = 5;

/**
 * Ends what a program left running on this host, whether it stayed in its process group or not. A group is taken only when its leader is
 * the recorded process itself, or one of its processes carries the mark: a pid that was used again is never touched.
 */
export async function endOrphan(orphan: Orphan, grace?: number): Promise<OrphanEnd> {
  const ended: number[] = [];
  const left = new Set<number>();
  if (orphan.host !== hostname()) return { ended, left: [] };
  try {
    for (let look = 1; look <= mostLooks; look++) {
      const groups = (await listGroups(orphan)).filter((group) => !left.has(group));
      if (groups.length === 0) break;
      for (const group of groups) {
        if (await endGroup(group, grace)) ended.push(group);
        else left.add(group);
      }
    }
    if (left.size === 0) void removeAttemptGroup(orphan.mark);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { ended, left: [...left], unclear: error.message };
  }
  return { ended, left: [...left] };
}

/** Why nothing may run beside it yet. */
export function formatHeld(what: string, { left, unclear }: { left: number[]; unclear?: string | undefined }): string {
  if (unclear !== undefined) return `${what} may still be running, which cannot be checked now: ${unclear}.`;
  return `${what} does not stop (process ${formatList(left.map(String))}).`;
}

async function listGroups(orphan: Orphan): Promise<number[]> {
  const { program } = orphan;
  const marked = await groupsWithMark(orphan.mark);
  const counted = await groupsOfPids(pidsOfAttempt(orphan.mark));
  marked.push(...counted.filter((group) => !marked.includes(group)));
  if (program === undefined || marked.includes(program.pid) || !isRunning(program)) return marked;
  return [program.pid, ...marked];
}

/** The process groups of what the kernel counts to the attempt, but for our own. */
async function groupsOfPids(pids: readonly number[]): Promise<number[]> {
  const own = await readStat(String(process.pid));
  const stats = await Promise.all(pids.map((pid) => readStat(String(pid))));
  const groups = stats.flatMap((stat) => (stat === undefined || isZombie(stat.state) ? [] : [stat.group]));
  return [...new Set(groups)].filter((group) => group !== own?.group);
}

/** Groups with a process that was started with this mark; where there is no /proc, none is known. */
async function groupsWithMark(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const groups = new Set<number>();
  const own = await readStat('self');
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    if (!(await readEnvironment(name)).some((entry) => entry.startsWith(mark))) continue;
    const stats = await readStat(name);
    if (stats !== undefined && stats.group !== own?.group && !isZombie(stats.state)) groups.add(stats.group);
  }
  return [...groups];
}
