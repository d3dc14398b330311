import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { systemCode } from '../system/system-error.ts';

/** Errors of the system about a process that has ended, before or while it was read. */
const endedCodes = ['ENOENT', 'ESRCH'];

/** Errors of the system about a process of another user, which is none of ours. */
const foreign = ['EACCES', 'EPERM'];

/**
 * Most looks at a process with an empty environment. Without arguments it is just replacing its program, which takes long on a busy machine.
 * With arguments, fewer looks settle that its environment is empty.
 */
const mostLooks = 100;
const mostSettledLooks = 3;
/** Milliseconds between two looks. */
const lookInterval = 5;

/** The fields of `/proc/<pid>/stat` that tell processes apart. */
export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  /** Ticks since the boot. */
  startTicks: string;
  /** Bytes of memory that it maps; a thread of the kernel has none. */
  memory: number;
}

/** Nothing of a zombie runs: where nobody reaps them, they would stay for ever. */
export const isZombie = (state: string): boolean => state.startsWith('Z') || state.startsWith('X');

/** Undefined: there is no such process. What the system does not tell (EMFILE, ENOMEM) is thrown, and means neither. */
export async function readStat(pid: string): Promise<ProcessStat | undefined> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(orGone));
}

export function readStatSync(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return parseStat(orGone(error));
  }
}

/** The variables that a process was started with; none of one that has ended, belongs to another user, or is the kernel's own. */
export async function readEnvironment(pid: string): Promise<string[]> {
  let settledLooks = 0;
  for (let look = 1; look <= mostLooks && settledLooks < mostSettledLooks; look += 1) {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(orForeign);
    if (text === undefined) return [];
    if (text !== '') return text.split('\0');
    // Empty for the moment in which a process replaces its program by another one, too: then only a later look tells.
    const stat = await readStat(pid);
    if (stat === undefined || stat.memory === 0 || isZombie(stat.state)) return [];
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(orGone);
    if (commandLine !== '') settledLooks += 1;
    await sleep(lookInterval);
  }
  return [];
}

function orForeign(error: unknown): undefined {
  return foreign.includes(systemCode(error) ?? '') ? undefined : orGone(error);
}

function orGone(error: unknown): undefined {
  if (endedCodes.includes(systemCode(error) ?? '')) return undefined;
  throw error;
}

/** The program's name is in parentheses and may hold anything; what follows the last one is fields 3 and on. */
function parseStat(stat: string | undefined): ProcessStat | undefined {
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const [startTicks, memory] = fields.slice(19);
  // A process that ends while it is read has an empty file.
  if (state === undefined || group === undefined || startTicks === undefined) return undefined;
  return { state, parent: Number(parent), group: Number(group), startTicks, memory: Number(memory) };
}
