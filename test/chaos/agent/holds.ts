import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the conversation of a task stands still: at the nth entry of a kind, before it is written, in the middle of its line, or after. */
export type Holds = Record<string, { k: string; nth: number; when: 'before' | 'half' | 'after' }>;

/** Files by which a worker says how far its conversations are, and is told to go on. */
export const marks = {
  held: (task: string): string => `${task}.held`,
  /** Its worker leads it no more. */
  left: (task: string): string => `${task}.left`,
  released: 'released',
};

/** The environment of a worker that stands still at these places, and says so in `folder`. */
export const holdingAt = (holds: Holds, folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'hold-log.ts')).href}`,
  HEDDLE_TEST_HOLDS: JSON.stringify({ holds, folder }),
});

export const isHeld = (folder: string, task: string): boolean => existsSync(join(folder, marks.held(task)));

export const isLeft = (folder: string, task: string): boolean => existsSync(join(folder, marks.left(task)));

/** Releases a conversation that is held. */
export const release = (folder: string): void => writeFileSync(join(folder, marks.released), '');
