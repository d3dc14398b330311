import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { activityLimits } from '../limits.ts';
import { systemCode } from '../store/system-error.ts';

/** How often a dying group is looked at: often at first, since most die at once. */
const firstLook = 5;
const lastLook = 100;

/** Sends a signal to every process of a group; false when there is none that could get it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would reach our own group and everybody.
  if (!Number.isInteger(group) || group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}

/** Does anything of the group still run? Zombies do not: where nobody reaps them, they would stay for ever. */
export async function isGroupAlive(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  const members = process.platform === 'linux' ? membersFromProc(group) : membersFromPs(group);
  for await (const state of members) {
    if (!state.startsWith('Z') && !state.startsWith('X')) return true;
  }
  return false;
}

/** SIGTERM to the whole group, at most `grace` ms, then SIGKILL; true once nothing of it runs any more. */
export async function endGroup(group: number, grace: number = activityLimits.killGrace): Promise<boolean> {
  signalGroup(group, 'SIGTERM');
  // A stopped process gets its SIGTERM only when it goes on.
  signalGroup(group, 'SIGCONT');
  if (await isGoneWithin(group, grace)) return true;
  signalGroup(group, 'SIGKILL');
  return isGoneWithin(group, activityLimits.killWait);
}

async function isGoneWithin(group: number, most: number): Promise<boolean> {
  const deadline = performance.now() + most;
  for (let wait = firstLook; ; wait = Math.min(wait * 2, lastLook)) {
    if (!(await isGroupAlive(group))) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(wait, left));
  }
}

async function* membersFromProc(group: number): AsyncGenerator<string> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The program's name is in parentheses and may hold anything; the fields after it are state, parent, group.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== undefined && Number(processGroup) === group) yield state;
  }
}

const run = promisify(execFile);

async function* membersFromPs(group: number): AsyncGenerator<string> {
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,stat=']);
  for (const line of stdout.split('\n')) {
    const [processGroup, state] = line.trim().split(/\s+/);
    if (state !== undefined && Number(processGroup) === group) yield state;
  }
}
