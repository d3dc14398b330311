import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where the conversation of a task stands still: at the nth entry of a kind, before it is written, in the middle of its line, or after. */
export type Holds = Record<string, { k: string; nth: number; when: 'before' | 'half' | 'after' }>;

/** The environment of a worker that stands still at these places, and says in `folder` which it has reached. */
export const holdingAt = (holds: Holds, folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'hold-log.ts')).href}`,
  HEDDLE_TEST_HOLDS: JSON.stringify({ holds, folder }),
});

export const isHeld = (folder: string, task: string): boolean => existsSync(join(folder, task));
