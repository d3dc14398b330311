import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { isSystemError, systemCode } from '../system/system-error.ts';
import { findOwnProgram } from './own-programs.ts';
import { isZombie, readStatSync } from './read-process.ts';

/** A process and when it began: a pid alone may belong to somebody else by the time it is read back. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** How often a dying process is looked at; more often at first. */
const lookInterval = 20;

/** One call of `ps`; a loaded machine may be slow. */
const psTimeout = 5_000;

/**
 * The identity of a running process, or undefined when there is none (a zombie does not count: nothing of it runs). Throws the system's
 * error where it cannot be told, which says nothing about the process.
 */
export function readIdentity(pid: number): ProcessIdentity | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/**
 * Returns true if exactly this process still runs. A process that cannot be looked at counts as running: waiting can be undone, a second
 * execution cannot.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  try {
    return isRunning(identity);
  } catch (error) {
    if (isSystemError(error)) return true;
    throw error;
  }
}

/** As `isAlive`, but throws where it cannot be told: for callers that would send a signal to the owner of the pid. */
export function isRunning(identity: ProcessIdentity): boolean {
  return readIdentity(identity.pid)?.startTime === identity.startTime;
}

/** Sends a signal if the process is still the same one; false when it is gone. Throws, and sends nothing, where that cannot be told. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/** SIGTERM, at most `grace` ms, then SIGKILL; true when the process is gone in the end. */
export async function endProcess(identity: ProcessIdentity, grace: number): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!signalProcess(identity, signal)) return true;
    if (await hasEndedWithin(identity, grace)) return true;
  }
  return !isAlive(identity);
}

export async function hasEndedWithin(identity: ProcessIdentity, most: number): Promise<boolean> {
  const deadline = Date.now() + most;
  for (let wait = 1; Date.now() < deadline; wait = Math.min(wait * 2, lookInterval)) {
    if (!isAlive(identity)) return true;
    await sleep(wait);
  }
  return false;
}

/** Ticks count from the boot, so the boot is part of the identity: a record outlives a restart of the machine. */
function startTimeFromProc(pid: number): string | undefined {
  const stat = readStatSync(pid);
  return stat === undefined || isZombie(stat.state) ? undefined : `${bootId()}:${stat.startTicks}`;
}

/** Some containers hide it: then the ticks alone must do. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  const answer = spawnSync(
    findOwnProgram('ps', { path: process.env['PATH'] }) ?? 'ps',
    ['-o', 'stat=,lstart=', '-p', String(pid)],
    {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      timeout: psTimeout,
    },
  );
  if (answer.error !== undefined) throw answer.error;
  // It exits with 1 when there is no such process; without a code it was ended itself, and has said nothing.
  if (answer.status === null) throw Object.assign(new Error('ps was ended'), { code: 'EINTR', syscall: 'ps' });
  const [state, ...start] = (answer.status === 0 ? answer.stdout : '').trim().split(/\s+/);
  if (state === undefined || state === '' || isZombie(state) || start.length === 0) return undefined;
  return start.join(' ');
}
