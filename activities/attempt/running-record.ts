import { readFile, rm } from 'node:fs/promises';

import type { Execution } from '../../domain/model/attempt.ts';
import { ensureFolder, replaceFile } from '../store/durable-file.ts';
import { systemCode } from '../store/system-error.ts';
import type { Orphan } from '../programs/orphan.ts';
import { taskFolder } from '../home-layout.ts';
import type { RunningPaths } from '../home-layout.ts';

/** What this machine knows of an attempt, so that a later start of it knows what happened before. */
export interface RunningRecord extends Orphan {
  /**
   * `running`: no end is known, so a reader that finds it looks at a crash. `handed-over`: its worker stopped and ended the program.
   * `waiting`: it asked to be tried again later. `ended`: `result` is what came of it.
   */
  state: 'running' | 'handed-over' | 'waiting' | 'ended';
  /** The start that owns the attempt now; one that finds another's here was taken over. */
  run: string;
  /** The workflow run: after a reset of the workflow nothing of the past counts. */
  workflowRun: string;
  /** The one scheduling of the activity that Temporal may retry. */
  schedule: string;
  reruns: number;
  before: Execution['before'];
  result?: Execution;
}

/** Undefined: never started here. `unreadable`: started, and no more is known. */
export async function readRecord(paths: RunningPaths): Promise<RunningRecord | 'unreadable' | undefined> {
  let text: string;
  try {
    text = await readFile(paths.record, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/**
 * `durable` before a program starts: a power cut must not make the start unknown. The later states may be lost with the power,
 * which makes them look like a crash: the careful direction.
 */
export async function writeRecord(
  paths: RunningPaths,
  record: RunningRecord,
  options: { durable: boolean } = { durable: false },
): Promise<void> {
  if (options.durable) await ensureFolder(paths.folder);
  await replaceFile(paths.record, JSON.stringify(record), options);
}

/** Removes what is known of a task's attempts; for a task that has ended. */
export async function forgetTask(root: string, taskId: string): Promise<void> {
  await rm(taskFolder(root, taskId), { recursive: true, force: true });
}

/** Only we write them, and whole: this tells another version's record, or a damaged one. */
function isRecord(value: unknown): value is RunningRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { state, run, workflowRun, schedule, reruns, before, host, idempotencyKey } = value as Partial<RunningRecord>;
  const words: unknown[] = [state, run, workflowRun, schedule, host, idempotencyKey];
  return words.every((word) => typeof word === 'string') && Number.isInteger(reruns) && Array.isArray(before);
}
