import { realpath } from 'node:fs/promises';

import type { LeftBy, LeftState } from '../../../domain/types/reuse.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { isSystemError } from '../../system/system-error.ts';
import { isIgnoredText, nothing, type EntryText } from '../git/entry.ts';
import { showPath } from '../git/path-key.ts';
import { asTrouble } from '../git/snapshot-trouble.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { Journal } from '../snapshots/journal.ts';
import { openRepository, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { loadHistory, type History, type RecordedChange } from '../undo/load-history.ts';

/** Finished work to compare, and the tasks whose later changes belong to the same course of work. */
export interface LeftQuestion {
  workspace: string;
  work: readonly LeftBy[];
  /** The retried task and those before it. */
  lineage: readonly string[];
}

const unknown: LeftState = { unknown: true };

/**
 * Compares all that subtasks changed (created, modified, moved and deleted files) with the workspace as it is now. A change that a later
 * subtask of the same course of work made on top is no difference; one of an undo, a person or another task is. What cannot be read is
 * unknown, never the same.
 */
export async function compareLeftFiles(parts: SnapshotParts, question: LeftQuestion): Promise<LeftState[]> {
  const nothingKnown = question.work.map(() => unknown);
  if (question.work.length === 0) return [];
  try {
    const repository = openRepository(parts, await realpath(question.workspace));
    if (!repository.isThere || !Journal.exists(repository.folder)) return nothingKnown;
    const deadline = performance.now() + activityLimits.workspace.commandTimeout;
    return await withWorkspaceLock(repository.folder, deadline, () => compare(repository, question, deadline));
  } catch (error) {
    if (asTrouble(error) === undefined && !isSystemError(error)) throw error;
    return nothingKnown;
  }
}

async function compare(
  repository: ShadowRepository,
  { work, lineage }: LeftQuestion,
  deadline: number,
): Promise<LeftState[]> {
  const journal = Journal.open(repository.folder);
  try {
    const now = await snapshotNow(repository, deadline);
    journal.add([], [now.meta], now.state);
    const histories = new Map<string, History | undefined>();
    const states: LeftState[] = [];
    for (const each of work) {
      if (!histories.has(each.task))
        histories.set(each.task, await loadTaskHistory(repository, journal, each.task, now, deadline));
      const history = histories.get(each.task);
      states.push(history === undefined ? unknown : compareLeftState(history, each, new Set([...lineage, each.task])));
    }
    return states;
  } finally {
    journal.close();
  }
}

async function loadTaskHistory(
  repository: ShadowRepository,
  journal: Journal,
  task: string,
  now: Taken,
  deadline: number,
): Promise<History | undefined> {
  return journal.knows(task) ? loadHistory(repository, journal, { task, now, deadline }) : undefined;
}

function compareLeftState({ marks, changes }: History, work: LeftBy, lineage: ReadonlySet<string>): LeftState {
  const own = marks.filter(({ writer }) => isWrittenBy(writer, work));
  const missing = own.some(({ gap, moment }) => gap !== null || moment === 'lost');
  // An activity of the user's own runs elsewhere, has no snapshots, and left nothing here that is known as its own.
  if (missing || (own.length === 0 && work.here)) return unknown;
  for (const [path, recorded] of changes) {
    if (isOfNoInterest(recorded)) continue;
    if (!isAsLeft(recorded, work, lineage)) return { changed: showPath(path) };
  }
  return { changed: null };
}

/** A folder that the user's own rules ignore is not compared, like any other ignored file. */
const isOfNoInterest = (recorded: readonly RecordedChange[]): boolean =>
  recorded.every(({ before, after }) => isIgnoredOrNothing(before) && isIgnoredOrNothing(after));

const isIgnoredOrNothing = (text: EntryText): boolean => text === nothing || isIgnoredText(text);

/** Follows a path from the subtask's last change on, through what the same course of work made of it, to the present. */
function isAsLeft(changes: readonly RecordedChange[], work: LeftBy, lineage: ReadonlySet<string>): boolean {
  const last = changes.findLastIndex(({ by }) => by.some((writer) => isWrittenBy(writer, work)));
  const own = changes[last];
  if (own === undefined) return true;
  let expected = own.after;
  for (const { by, orSomebody, before, after } of changes.slice(last + 1)) {
    const isOurs = !orSomebody && by.every(({ task, undo }) => !undo && lineage.has(task));
    if (isOurs && before === expected) expected = after;
  }
  return changes.at(-1)?.after === expected;
}

const isWrittenBy = (
  writer: { task: string; subtask: string | null; undo: boolean },
  { task, subtask }: LeftBy,
): boolean => !writer.undo && writer.task === task && writer.subtask === subtask;
