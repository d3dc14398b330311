import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';

import { listLineage } from '../../domain/evidence/list-lineage.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { isSystemError } from '../system/system-error.ts';
import { toKey, type PathKey } from '../workspace/git/path-key.ts';
import { Journal } from '../workspace/snapshots/journal.ts';
import { openRepository, snapshotNow, type SnapshotParts } from '../workspace/snapshots/snapshots.ts';
import { withWorkspaceLock } from '../workspace/snapshots/workspace-lock.ts';
import { findHistoriesNow } from '../workspace/undo/find-histories-now.ts';
import { listTree } from '../workspace/git/tree-changes.ts';
import { changesOfSubtask } from '../workspace/worktree/changes-of-subtask.ts';

/** The attempt whose sources are looked at. */
export interface WritingAttempt {
  taskId: string;
  subtaskId: string;
  attempt: number;
  startedAt: string;
  /** The workspace of the task, and the folder in which the subtask works. */
  workspace: string;
  folder: string;
  isolated: boolean;
}

/** Paths that a task changed, and paths that snapshots hold: what they do not hold may be anybody's. */
interface WrittenPaths {
  own: ReadonlySet<PathKey>;
  held: ReadonlySet<PathKey>;
}

/**
 * Tells whether a task wrote a file itself, in any of its subtasks and in the tasks that it continues: nobody is his own witness. A file
 * that is older than the task was surely there before. Of a younger one the snapshots tell who wrote it; what they cannot tell counts as
 * the task's.
 */
export class OwnWrites {
  readonly #parts: SnapshotParts;
  readonly #attempt: WritingAttempt;
  #began: Promise<number> | undefined;
  #written: Promise<WrittenPaths | undefined> | undefined;

  constructor(parts: SnapshotParts, attempt: WritingAttempt) {
    this.#parts = parts;
    this.#attempt = attempt;
  }

  /** `real` is the path of the file, `path` the same relative to the folder in which the subtask works. */
  async includes(real: string): Promise<boolean> {
    try {
      const { ctimeMs } = await stat(real);
      if (ctimeMs < (await this.began()) - activityLimits.evidence.clockSlack) return false;
      this.#written ??= this.#findWritten();
      const written = await this.#written;
      const path = relative(await realpath(this.#attempt.folder), real);
      // Folders that may be read beside the workspace are not written by tasks.
      if (path.startsWith(`..${sep}`)) return false;
      const key = toKey(path);
      return written === undefined || written.own.has(key) || !written.held.has(key);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return true;
    }
  }

  /** The time at which the task began to write here, or the first of the tasks that it continues. */
  began(): Promise<number> {
    this.#began ??= this.#findBegin();
    return this.#began;
  }

  async #findBegin(): Promise<number> {
    const { taskId, workspace, startedAt } = this.#attempt;
    const lineage = new Set(listLineage(taskId));
    const { folder } = openRepository(this.#parts, await realpath(workspace));
    const first = Journal.exists(folder)
      ? Journal.with(folder, undefined, (journal) => journal.firstMark([...lineage]))
      : undefined;
    return Math.min(first?.at ?? Infinity, Date.parse(startedAt));
  }

  /** Undefined where the snapshots cannot tell. */
  async #findWritten(): Promise<WrittenPaths | undefined> {
    const { taskId, workspace, isolated } = this.#attempt;
    const deadline = performance.now() + activityLimits.evidence.history;
    try {
      const repository = openRepository(this.#parts, await realpath(workspace));
      if (!repository.isThere || !Journal.exists(repository.folder)) return undefined;
      return await withWorkspaceLock(repository.folder, deadline, async () => {
        const own = new Set<PathKey>();
        for (const task of listLineage(taskId)) {
          const { pathHistories, outside } = await findHistoriesNow(repository, { task, subtask: null }, deadline);
          for (const { path } of pathHistories) own.add(path);
          for (const { path } of outside) own.add(toKey(path));
        }
        if (isolated) for (const path of await this.#changedInCopy()) own.add(toKey(path));
        const now = await snapshotNow(repository, deadline);
        const held = new Set((await listTree(repository, now.tree, deadline)).keys());
        return { own, held };
      });
    } catch {
      // Trouble may pass, but without an answer nobody is a witness.
      return undefined;
    }
  }

  async #changedInCopy(): Promise<string[]> {
    const { isKnown, paths } = await changesOfSubtask(this.#parts, { ...this.#attempt, isolated: true });
    if (!isKnown) throw new Error('the changes in the copy are not known');
    return paths;
  }
}
