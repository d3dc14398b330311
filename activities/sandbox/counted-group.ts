import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { activityLimits } from '../limits.ts';
import { readIdentity } from '../programs/process-identity.ts';
import { orNone } from '../store/system-error.ts';

const { groupTries, groupWait } = activityLimits.commands;
const prefix = 'heddle-command-';

/** A control group: the kernel itself refuses a process more than it may have. */
export interface CountedGroup {
  /** The command, as one that enters the group before it begins. */
  enter(argv: readonly string[]): string[];
  /** When all that was in it has ended. */
  leave(): void;
}

/**
 * For a worker that is root, whom no `ulimit` counts: without it, a program that forks faster than a busy machine lets us look takes every
 * process id there is. Undefined where the system has no such groups for us; then only the watch counts.
 */
export function countedGroup(most: number): CountedGroup | undefined {
  for (const place of groupPlaces()) {
    const folder = join(place, `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
    if (!tryTo(() => mkdirSync(folder))) continue;
    if (tryTo(() => writeFileSync(join(folder, 'pids.max'), String(most)))) {
      const enter = '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"';
      return {
        enter: (argv) => ['/bin/sh', '-c', enter, join(folder, 'cgroup.procs'), ...argv],
        leave: () => void removeWhenEmpty(folder),
      };
    }
    tryTo(() => rmdirSync(folder));
  }
  return undefined;
}

let places: readonly string[] | undefined;

/** Looked for, and tidied up, by the first command of a process. */
function groupPlaces(): readonly string[] {
  if (places === undefined) {
    places = findPlaces();
    for (const place of places) removeLeft(place);
  }
  return places;
}

/** Where a group can be made: below our own, or beside it, where the second kind of groups allows none below one that has processes. */
function findPlaces(): string[] {
  if (process.getuid?.() !== 0) return [];
  const own = orNone(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  const counting = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(own)?.[1];
  const unified = /^0::(.*)$/m.exec(own)?.[1];
  const place = unified === undefined ? undefined : join('/sys/fs/cgroup', unified);
  return [
    ...(counting === undefined ? [] : [join('/sys/fs/cgroup/pids', counting)]),
    ...(place === undefined ? [] : [place, dirname(place)]),
  ];
}

/** What has just been killed is in it for a moment longer. */
async function removeWhenEmpty(folder: string): Promise<void> {
  for (let tries = 1; tries <= groupTries && !tryTo(() => rmdirSync(folder)); tries += 1)
    await sleep(groupWait, undefined, { ref: false });
}

/** Groups of workers that were killed. One that is not empty stays. */
function removeLeft(place: string): void {
  for (const name of orNone(() => readdirSync(place)) ?? []) {
    const pid = name.startsWith(prefix) ? parseInt(name.slice(prefix.length), 10) : NaN;
    if (!Number.isNaN(pid) && orNone(() => readIdentity(pid) === undefined) === true)
      tryTo(() => rmdirSync(join(place, name)));
  }
}

const tryTo = (action: () => void): boolean =>
  orNone(() => {
    action();
    return true;
  }) ?? false;
