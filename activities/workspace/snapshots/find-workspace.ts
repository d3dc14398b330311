import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { Journal } from './journal.ts';
import { workspacesFolder } from '../../home/home-layout.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { openRepository, type SnapshotParts } from './snapshots.ts';
import { systemCode } from '../../system/system-error.ts';
import { asTrouble } from '../git/snapshot-trouble.ts';

/** The workspace that a task ran in, when this machine has snapshots of it. */
export function findTaskWorkspace(parts: SnapshotParts, task: string): ShadowRepository | undefined {
  for (const folder of foldersIn(workspacesFolder(parts.root))) {
    if (!Journal.exists(folder)) continue;
    const workspace = Journal.with(folder, undefined, (journal) => (journal.knows(task) ? journal.workspace : ''));
    if (workspace !== '') return openRepository(parts, workspace);
  }
  return undefined;
}

/** Refuses a person's question about a workspace that no longer is there. */
export function checkStillThere({ workspace }: Pick<ShadowRepository, 'workspace'>, task: string): void {
  if (existsSync(workspace)) return;
  throw new HeddleError({
    code: 'WORKSPACE_NOT_FOUND',
    message: `The workspace of the task ${task} is no longer where the task ran: it was moved or removed`,
    where: workspace,
    hint: 'Move it back to this path, then try again.',
  });
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    // Only a home without snapshots knows nothing: what cannot be read is not told as "nothing was changed".
    if (systemCode(error) === 'ENOENT') return [];
    throw explanation(folder, error);
  }
}

/** `known`: somebody who has the plan says that it has such a subtask. */
export function checkSubtask(folder: string, { task, subtask }: WorkspaceSubject, isKnown: boolean): void {
  if (subtask === null || isKnown) return;
  const marks = Journal.with(folder, undefined, (journal) => journal.marks());
  const ids = [...new Set(marks.flatMap(({ writer }) => (writer.task === task ? [writer.subtask ?? ''] : [])))];
  const seen = ids.filter((id) => id !== '');
  if (seen.includes(subtask)) return;
  const nearestId = nearest(subtask, seen);
  throw new HeddleError({
    code: 'SUBTASK_NOT_FOUND',
    message: `There are no snapshots of a subtask ${subtask}`,
    hint: nearestId === undefined ? `Subtasks that ran: ${formatList(seen, 20)}.` : `Did you mean ${nearestId}?`,
  });
}

/** For people who asked: what the journal would hold as a gap is here an error with a code. */
export async function explained<T>(workspace: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw explanation(workspace, error);
  }
}

function explanation(where: string, error: unknown): unknown {
  const trouble = error instanceof HeddleError ? undefined : asTrouble(error);
  if (trouble === undefined) return error;
  return new HeddleError({
    code: 'SNAPSHOT_FAILED',
    message: `The snapshots of the workspace cannot be used: ${trouble.message}`,
    where,
    hint: '`heddle doctor` says whether git is installed; see docs/workspace.md.',
  });
}
