import { join } from 'node:path';

import { sha256 } from '../store/hash-file.ts';

/** An attempt that runs, or ran on this machine. */
export interface AttemptId {
  taskId: string;
  subtaskId: string;
  attempt: number;
}

export interface RunningPaths {
  /** Of the task: all that runs, or ran, of it. */
  folder: string;
  /** Begins every name that belongs to the attempt. */
  stem: string;
  /** Who runs it, how often it was started, and what came of it. */
  record: string;
  /** The output so far, both streams, while it runs: what `heddle logs -f` follows. */
  log: string;
}

const plainName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const readable = 32;

/** Where an attempt that runs leaves its traces under Heddle's home. */
export function runningPaths(root: string, id: AttemptId): RunningPaths {
  const folder = taskFolder(root, id.taskId);
  const stem = `${safeName(id.subtaskId)}-${id.attempt}`;
  return { folder, stem, record: join(folder, `${stem}.json`), log: join(folder, `${stem}.log`) };
}

export function taskFolder(root: string, taskId: string): string {
  return join(root, 'running', safeName(taskId));
}

/**
 * A file name for an id of any script and length. Capitals count as unsafe: `A` and `a` are one file on some disks.
 * What had to be changed gets a hash, and `~`, which no plain name has.
 */
function safeName(id: string): string {
  if (plainName.test(id)) return id;
  const plain = id.toLowerCase().replace(/[^a-z0-9_-]+/g, '_');
  return `${plain.slice(0, readable)}~${sha256(id).slice(0, 16)}`;
}
