import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { activityLimits } from '../limits/activity-limits.ts';
import { signalGroup } from '../programs/process-group.ts';
import { orNone } from '../system/system-error.ts';
import type { KilledFor } from './command.ts';
import { readProcessMemory, type ProcessTree } from './process-tree.ts';

const { processes, memory, memoryShare, threads, watchInterval, looksPerSum } = activityLimits.commands;

/** Limits of all processes of a command together. */
export interface ProcessLimits {
  processes: number;
  memory: number;
  /** Processes and threads that the kernel itself allows, where it counts them. */
  threads: number;
}

export const defaultProcessLimits: ProcessLimits = {
  processes,
  memory: Math.min(memory, totalmem() * memoryShare),
  threads,
};

export interface Watched {
  /** The program that was started, which leads a group of its own. */
  pid: number;
  tree: ProcessTree;
  /** The first process of the sandbox, once it is known; undefined where there is none. */
  inside: () => number | undefined;
  most: ProcessLimits;
}

/**
 * Looks again and again whether a command has more processes or memory than it may: for a worker that is root the kernel counts neither by itself.
 * A program that forks without end leaves us little time to look: counting is one step, and comes before all else. Gives what ends the watch.
 */
export function watchProcesses(watched: Watched, onExcess: (what: KilledFor) => void): () => void {
  const begun = threadsOfMachine();
  let looks = 0;
  const look = (): void => {
    looks += 1;
    const excess = orNone(() => findExcess(watched, begun, looks % looksPerSum === 0));
    if (excess !== undefined) onExcess(excess);
  };
  const timer = setInterval(look, watchInterval);
  return () => clearInterval(timer);
}

function findExcess(watched: Watched, begun: number, sums: boolean): KilledFor | undefined {
  if (hasTooMany(watched, begun)) return 'processes';
  if (!sums) return undefined;
  const used = watched.tree.look().reduce((sum, { pid }) => sum + readProcessMemory(pid), 0);
  return used > watched.most.memory ? 'memory' : undefined;
}

function hasTooMany({ pid, tree, inside, most }: Watched, begun: number): boolean {
  const first = inside();
  if (first !== undefined) return processesSeenBy(first) > most.processes;
  if (threadsOfMachine() - begun <= most.processes) return false;
  // Somebody has started many. If it is this one, it stands still until that is known.
  signalGroup(pid, 'SIGSTOP');
  const isOurs = tree.look().length > most.processes;
  if (!isOurs) signalGroup(pid, 'SIGCONT');
  return isOurs;
}

/** In a sandbox all that can be seen is its own. */
function processesSeenBy(pid: number): number {
  return readdirSync(`/proc/${pid}/root/proc`).filter((name) => /^\d/.test(name)).length;
}

/** Counts the threads of all programs, which the kernel prints after the load. */
function threadsOfMachine(): number {
  return orNone(() => Number(/\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1])) ?? 0;
}
