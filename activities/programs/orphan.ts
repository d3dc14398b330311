import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

import type { ProcessIdentity } from './process-identity.ts';
import { isAlive } from './process-identity.ts';
import { endGroup } from './process-group.ts';

/** The same for the same attempt after a crash. */
export const keyVariable = 'HEDDLE_IDEMPOTENCY_KEY';

/** What is known of a program whose worker is gone. */
export interface Orphan {
  host: string;
  /** How an entry in the environment of its processes, and of no others, begins. */
  mark: string;
  /** Unknown when the worker died between the start of the program and the record of it. */
  program?: ProcessIdentity;
}

/**
 * Ends what a program of a dead worker left running on this host. The group is taken only when its leader is the recorded process
 * itself, or one of its processes carries the mark: a pid that was used again is never touched.
 */
export async function endOrphan(orphan: Orphan): Promise<{ ended: number[]; left: number[] }> {
  const ended: number[] = [];
  const left: number[] = [];
  if (orphan.host !== hostname()) return { ended, left };
  for (const group of await groupsOf(orphan)) {
    if (await endGroup(group)) ended.push(group);
    else left.push(group);
  }
  return { ended, left };
}

async function groupsOf(orphan: Orphan): Promise<number[]> {
  const { program } = orphan;
  if (program !== undefined && isAlive(program)) return [program.pid];
  const marked = await groupsWithMark(orphan.mark);
  return program === undefined ? marked : marked.filter((group) => group === program.pid);
}

/** Groups with a process that was started with this mark; where there is no /proc, none is known. */
async function groupsWithMark(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const groups = new Set<number>();
  const own = await groupOf('self');
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Another user's process is not readable, and not ours.
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').some((entry) => entry.startsWith(mark))) continue;
    const group = await groupOf(name);
    if (group !== undefined && group !== own) groups.add(group);
  }
  return [...groups];
}

async function groupOf(process: string): Promise<number | undefined> {
  const stat = await readFile(`/proc/${process}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
