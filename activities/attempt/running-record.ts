import { readFile, writeFile } from 'node:fs/promises';

import type { CliSession } from '../../domain/types/basic/completion-contract.ts';
import type { ListedLesson } from '../../domain/types/basic/lessons.ts';
import type { Outcome, Restored, ResourceUsage } from '../../domain/types/outcome.ts';
import type { Stamp } from '../../domain/types/basic/ref.ts';
import type { Orphan } from '../programs/orphan.ts';
import type { ProcessIdentity } from '../programs/process-identity.ts';
import { ensureFolder, replaceFile } from '../system/durable-file.ts';
import { systemCode } from '../system/system-error.ts';
import type { AttemptPaths } from '../home/home-layout.ts';

/** The facts of an attempt that this machine stores, so that a later execution of it knows what happened before. */
export interface RunningRecord extends Orphan {
  /**
   * `running`: no end is known; without its owner a reader looks at a crash. `handed-over`: its worker stopped and ended the
   * program. `waiting`: it asked to be tried again later. `ended`: `outcome` is what came of it.
   */
  state: 'running' | 'handed-over' | 'waiting' | 'ended';
  /** The start that owns the attempt now; a start that finds another's here was taken over. */
  run: string;
  /** The worker process that started it; unknown where the system does not tell. */
  owner?: ProcessIdentity;
  /** When the attempt began, by the workflow: after a reset of the workflow another one has its number. */
  startedAt: string;
  /** The one scheduling of the activity that Temporal may retry. */
  schedule: string;
  /** In all executions of the attempt. */
  reruns: number;
  used: ResourceUsage;
  /** Deliverables before anything of the attempt ran; null: nobody knows any more. */
  before: Stamp[] | null;
  /** When the first start of the attempt began, by the clock of this machine, in milliseconds. */
  openedAt?: number;
  restored?: Restored;
  /** The conversation of an agent program, which a later execution of the attempt continues. */
  session?: CliSession;
  /** How often it has waited for the limit of a plan. */
  planWaits?: number;
  /** Lessons that its prompt shows: the same in all executions. */
  lessons?: ListedLesson[];
  outcome?: Outcome;
}

/** Undefined: never started here. `unreadable`: started, and no more is known. */
export async function readRecord(paths: AttemptPaths): Promise<RunningRecord | 'unreadable' | undefined> {
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
  paths: AttemptPaths,
  record: RunningRecord,
  options: { durable: boolean } = { durable: false },
): Promise<void> {
  if (options.durable) await ensureFolder(paths.folder);
  await replaceFile(paths.record, JSON.stringify(record), options);
}

/** Writes a record where there is none; an existing record stays. */
export async function createRecord(paths: AttemptPaths, record: RunningRecord): Promise<void> {
  await ensureFolder(paths.folder);
  await writeFile(paths.record, JSON.stringify(record), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

/**
 * The deliverables as they were before the attempt ran, and when it began by this machine's clock; null and undefined where this machine
 * does not know: it did not run here, or is forgotten.
 */
export async function readBefore(
  paths: AttemptPaths,
  startedAt: string,
): Promise<Pick<RunningRecord, 'before' | 'openedAt'>> {
  const record = await readRecord(paths);
  if (record === undefined || record === 'unreadable' || record.startedAt !== startedAt) return { before: null };
  const { before, openedAt } = record;
  return { before, ...(openedAt === undefined ? {} : { openedAt }) };
}

/** Only we write them, and whole: this tells another version's record, or a damaged one. */
function isRecord(value: unknown): value is RunningRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { state, run, startedAt, schedule, reruns, before, used, host, mark } = value as Partial<RunningRecord>;
  const texts: unknown[] = [state, run, startedAt, schedule, host, mark];
  return (
    texts.every((word) => typeof word === 'string') &&
    Number.isInteger(reruns) &&
    (before === null || Array.isArray(before)) &&
    typeof used?.costUsd === 'number' &&
    typeof used.tokens === 'number'
  );
}
