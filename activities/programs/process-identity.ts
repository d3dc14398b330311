import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process and when it began: a pid alone may belong to somebody else by the time it is read back. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** How often a dying process is looked at. */
const lookInterval = 20;

/** The identity of a running process, or undefined when there is none (a zombie is none: nothing of it runs). */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** Whether exactly this process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return readIdentity(identity.pid)?.startTime === identity.startTime;
}

/** Sends a signal if the process is still the same one; false when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** SIGTERM, at most `grace` ms, then SIGKILL; true when the process is gone in the end. */
export async function endProcess(identity: ProcessIdentity, grace: number): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!signalProcess(identity, signal)) return true;
    const deadline = Date.now() + grace;
    while (Date.now() < deadline) {
      if (!isAlive(identity)) return true;
      await sleep(lookInterval);
    }
  }
  return !isAlive(identity);
}

/** Ticks count from the boot, so the boot is part of the identity: a record outlives a restart of the machine. */
function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses; what follows the last one is fields 3 and on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const ticks = fields[19];
    if (ticks === undefined || state === 'Z' || state === 'X') return undefined;
    return `${bootId()}:${ticks}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function startTimeFromPs(pid: number): string | undefined {
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    timeout: 5_000,
  });
  const [state, ...start] = (answer.status === 0 ? answer.stdout : '').trim().split(/\s+/);
  if (state === undefined || state === '' || state.startsWith('Z') || start.length === 0) return undefined;
  return start.join(' ');
}
