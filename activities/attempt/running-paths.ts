import { join } from 'node:path';

import type { AttemptKey } from '../../domain/model/attempt.ts';
import { sha256 } from '../store/hash-file.ts';

/** An attempt that runs, or ran on this machine, as people name it. */
export type AttemptId = Pick<AttemptKey, 'taskId' | 'subtaskId' | 'attempt'>;

export interface RunningPaths {
  /** Of the task: all that runs, or ran, of it. */
  folder: string;
  /** Begins every name that belongs to the attempt. */
  stem: string;
  /** The output so far, both streams, while it runs: what `heddle logs -f` follows. */
  log: string;
}

/** The traces that one workflow's attempt leaves. Another server's task with the same id has others, in the same folder. */
export interface AttemptPaths extends RunningPaths {
  /** Begins every name that is this workflow's alone. */
  own: string;
  /** Who runs it, how often it was started, and what came of it. */
  record: string;
  /** Younger than a moment while another process waits for the end of the run. */
  awaited: string;
}

const plainName = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const readable = 32;

/** Where an attempt that runs leaves its traces under Heddle's home. */
export function runningPaths(root: string, id: AttemptId): RunningPaths {
  const folder = taskFolder(root, id.taskId);
  const stem = `${safeName(id.subtaskId)}-${id.attempt}`;
  return { folder, stem, log: join(folder, `${stem}.log`) };
}

/** `namespace` and the chain's first run tell two workflows with one task id apart. */
export function attemptPaths(root: string, key: AttemptKey, namespace: string): AttemptPaths {
  const paths = runningPaths(root, key);
  const own = `${paths.stem}.${sha256(`${namespace}\0${key.chain}`).slice(0, 12)}`;
  return {
    ...paths,
    own,
    record: join(paths.folder, `${own}.json`),
    awaited: join(paths.folder, `${own}.awaited`),
  };
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
