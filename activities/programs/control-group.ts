import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { activityLimits } from '../limits/activity-limits.ts';
import { sha256 } from '../system/hash-file.ts';
import { orNone } from '../system/system-error.ts';
import { readIdentity } from './process-identity.ts';

/* The kernel's own groups of processes. A process stays in its group whatever it does, so all that a program started is found there. */

const { groupTries, groupWait } = activityLimits.commands;

/** The purpose of a group, in its name: one command of an agent, or one attempt. */
type Purpose = 'command' | 'attempt';

const nameStart = (purpose: Purpose): string => `heddle-${purpose}-`;

/** Makes a group where `isUsable` says so of its folder; undefined where the system has none for us. */
export function makeControlGroup(
  purpose: Purpose,
  { suffix = randomBytes(4).toString('hex'), isUsable }: { suffix?: string; isUsable: (folder: string) => boolean },
): string | undefined {
  for (const place of groupPlaces(purpose)) {
    const folder = join(place, `${nameStart(purpose)}${process.pid}-${suffix}`);
    if (!tryTo(() => mkdirSync(folder))) continue;
    if (isUsable(folder)) return folder;
    tryTo(() => rmdirSync(folder));
  }
  return undefined;
}

/**
 * A group for one start of a program; undefined where the system has none for us. Its name holds all marks: the start ends what is its
 * own, and who takes the attempt over ends all starts of it.
 */
export function attemptGroup(marks: readonly string[]): string | undefined {
  return makeControlGroup('attempt', { suffix: marks.map(hashMark).join('-'), isUsable: () => true });
}

/**
 * A command as one that is in a group before it begins. To be put there from outside takes so long that what it starts first, with a wiped
 * environment, would be found by nobody.
 */
export function inGroup(folder: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
  const added = shellVariables.filter((name) => !Object.hasOwn(env, name)).join(' ');
  const enter = `{ echo $$ > "$0"; } 2>/dev/null; ${added === '' ? '' : `unset ${added}; `}exec "$@"`;
  return ['/bin/sh', '-c', enter, procsFile(folder), ...argv];
}

/** Variables that a shell adds to those that it was given. */
const shellVariables: readonly string[] = ['PWD', 'OLDPWD', 'SHLVL'];

/** The processes of an attempt, whichever worker started them; none where there are no such groups. */
export function pidsOfAttempt(mark: string): number[] {
  return attemptGroups(mark).flatMap((folder) => pidsIn(folder));
}

/** Once nothing runs in it. */
export async function removeAttemptGroup(mark: string): Promise<void> {
  await Promise.all(attemptGroups(mark).map(removeWhenEmpty));
}

/** A process that has just been killed stays in its group for a moment longer. */
export async function removeWhenEmpty(folder: string): Promise<void> {
  for (let tries = 1; tries <= groupTries && !tryTo(() => rmdirSync(folder)); tries += 1)
    await sleep(groupWait, undefined, { ref: false });
}

export const procsFile = (folder: string): string => join(folder, 'cgroup.procs');

const hashMark = (mark: string): string => sha256(mark).slice(0, 24);

function attemptGroups(mark: string): string[] {
  const hash = hashMark(mark);
  return groupPlaces('attempt').flatMap((place) =>
    (orNone(() => readdirSync(place)) ?? [])
      .filter((name) => name.startsWith(nameStart('attempt')) && name.split('-').includes(hash))
      .map((name) => join(place, name)),
  );
}

function pidsIn(folder: string): number[] {
  const text = orNone(() => readFileSync(procsFile(folder), 'utf8')) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

interface GroupFolders {
  /** Below our own group: what ends that one, or limits it, holds for them too. */
  below: string[];
  /** Beside it, where the second kind of groups counts none below one that has processes. */
  beside: string[];
}

let places: GroupFolders | undefined;

/** Looked for, and tidied up, by the first that needs one. */
function groupPlaces(purpose: Purpose): string[] {
  if (places === undefined) {
    places = findPlaces();
    for (const place of [...places.below, ...places.beside]) removeLeft(place);
  }
  return purpose === 'attempt' ? places.below : [...places.below, ...places.beside];
}

function findPlaces(): GroupFolders {
  if (process.getuid?.() !== 0) return { below: [], beside: [] };
  const own = orNone(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  const counting = /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m.exec(own)?.[1];
  const unified = /^0::(.*)$/m.exec(own)?.[1];
  const place = unified === undefined ? undefined : join('/sys/fs/cgroup', unified);
  return {
    below: [
      ...(counting === undefined ? [] : [join('/sys/fs/cgroup/pids', counting)]),
      ...(place === undefined ? [] : [place]),
    ],
    beside: place === undefined ? [] : [dirname(place)],
  };
}

/** Groups of workers that were killed. A group that is not empty stays: the worker that takes the attempt over needs it. */
function removeLeft(place: string): void {
  for (const name of orNone(() => readdirSync(place)) ?? []) {
    const [, pid] = /^heddle-(?:command|attempt)-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && orNone(() => readIdentity(Number(pid)) === undefined) === true)
      tryTo(() => rmdirSync(join(place, name)));
  }
}

export const tryTo = (action: () => void): boolean =>
  orNone(() => {
    action();
    return true;
  }) ?? false;
