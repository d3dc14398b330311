import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { activityLimits } from '../limits/activity-limits.ts';
import { systemCode } from '../system/system-error.ts';
import { findOwnProgram } from './own-programs.ts';
import { isZombie, readStat } from './read-process.ts';

/** How often a dying group is looked at: often at first, since most die at once. */
const firstLook = 5;
const lastLook = 100;

/** Sends a signal to every process of a group. `refused`: there are some, and none of them is ours to signal (a program of sudo). */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): 'sent' | 'refused' | 'gone' {
  // 0 and 1 would reach our own group and everybody.
  if (!Number.isInteger(group) || group <= 1) return 'gone';
  try {
    process.kill(-group, signal);
    return 'sent';
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return 'gone';
    if (systemCode(error) === 'EPERM') return 'refused';
    throw error;
  }
}

/** Does anything of the group still run? Zombies do not. What cannot be told counts as running: the next look may tell. */
export async function isGroupAlive(group: number): Promise<boolean> {
  if (signalGroup(group, 0) === 'gone') return false;
  const members = process.platform === 'linux' ? membersFromProc(group) : membersFromPs(group);
  try {
    for await (const state of members) {
      if (!isZombie(state)) return true;
    }
    return false;
  } catch {
    return true;
  }
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
    const stat = await readStat(name);
    if (stat?.group === group) yield stat.state;
  }
}

const run = promisify(execFile);

async function* membersFromPs(group: number): AsyncGenerator<string> {
  const { stdout } = await run(findOwnProgram('ps', { path: process.env['PATH'] }) ?? 'ps', [
    '-A',
    '-o',
    'pgid=,stat=',
  ]);
  for (const line of stdout.split('\n')) {
    const [processGroup, state] = line.trim().split(/\s+/);
    if (state !== undefined && Number(processGroup) === group) yield state;
  }
}
