import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
const tick = 10;

/** Milliseconds of CPU that a process has used, or undefined where the system does not say. Its children are not in it. */
export function cpuTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tick;
  } catch {
    return undefined;
  }
}
