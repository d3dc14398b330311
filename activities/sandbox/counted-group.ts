import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inGroup, makeControlGroup, removeWhenEmpty, tryTo } from '../programs/control-group.ts';

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
  const folder = makeControlGroup('command', {
    isUsable: (made) => tryTo(() => writeFileSync(join(made, 'pids.max'), String(most))),
  });
  if (folder === undefined) return undefined;
  return {
    enter: (argv) => inGroup(folder, argv),
    leave: () => void removeWhenEmpty(folder),
  };
}
