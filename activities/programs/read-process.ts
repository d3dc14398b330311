import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { systemCode } from '../system/system-error.ts';

/** Errors of the system about a process that has ended, before or while it was read. */
const endedCodes = ['ENOENT', 'ESRCH'];

/** Errors of the system about a process of another user, which is none of ours. */
const foreign = ['EACCES', 'EPERM'];

/** The fields of `/proc/<pid>/stat` that tell processes apart. */
export interface ProcessStat {
  state: string;
  parent: number;
  group: number;
  /** Ticks since the boot. */
  startTicks: string;
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

/** The variables that a process was started with; none of one that has ended or belongs to another user. */
export async function readEnvironment(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch((error: unknown) => {
    if (foreign.includes(systemCode(error) ?? '')) return undefined;
    return orGone(error);
  });
  return text === undefined ? [] : text.split('\0');
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
  const startTicks = fields[19];
  // A process that ends while it is read has an empty file.
  if (state === undefined || group === undefined || startTicks === undefined) return undefined;
  return { state, parent: Number(parent), group: Number(group), startTicks };
}
