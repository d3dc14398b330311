import type { Context } from '@temporalio/activity';
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';

import { activityLimits } from '../../limits.ts';
import { isSystemError } from '../../store/system-error.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { toKey, type PathKey } from '../git/path-key.ts';
import { recordSnapshot, type SnapshotParts } from './snapshots.ts';

export interface AttemptParts extends SnapshotParts {
  logger: Pick<Context['log'], 'warn'>;
}

export interface SnapshotAttempt {
  taskId: string;
  subtaskId: string;
  attempt: number;
  workspace: string;
  deliverables: readonly string[];
}

/** The snapshots before and after what an attempt runs. Whatever happens to them, the attempt goes on. */
export class AttemptSnapshots {
  readonly #parts: AttemptParts;
  readonly #about: SnapshotAttempt;

  constructor(parts: AttemptParts, about: SnapshotAttempt) {
    this.#parts = parts;
    this.#about = about;
  }

  start(): Promise<void> {
    return this.#take('start', {});
  }

  /** `stopping`: somebody waits for the attempt to be gone. */
  end(options: { stopping: boolean }): Promise<void> {
    return this.#take('end', options.stopping ? { timeout: activityLimits.workspace.stoppingTimeout } : {});
  }

  /** For an attempt whose end is known already: a crash may have come between that and its last snapshot. */
  endIfOpen(): Promise<void> {
    return this.#take('end', { onlyIfOpen: true });
  }

  async #take(moment: 'start' | 'end', options: { timeout?: number; onlyIfOpen?: boolean }): Promise<void> {
    const { taskId, subtaskId, attempt } = this.#about;
    const trouble = await this.#record(moment, options);
    if (trouble === undefined) return;
    const about = { task: taskId, subtask: subtaskId, attempt, moment, trouble };
    this.#parts.logger.warn('a snapshot of the workspace failed; undo does not cover this time', about);
  }

  async #record(
    moment: 'start' | 'end',
    options: { timeout?: number; onlyIfOpen?: boolean },
  ): Promise<string | undefined> {
    const { taskId, subtaskId, attempt, workspace, deliverables } = this.#about;
    try {
      const root = await realpath(workspace);
      const writer = { task: taskId, subtask: subtaskId, undo: false };
      const declared = await declaredPaths(root, deliverables);
      return await recordSnapshot(this.#parts, root, { writer, attempt, moment, declared }, options);
    } catch (error) {
      // Even a mistake of ours in here must not cost somebody an attempt.
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Deliverables as the snapshots name them: where they lead, links followed, as long as that is inside. */
async function declaredPaths(root: string, deliverables: readonly string[]): Promise<PathKey[]> {
  const paths = new Set<PathKey>();
  for (const deliverable of deliverables) {
    try {
      const place = await resolveInWorkspace(root, deliverable);
      if (place.kind !== 'outside') paths.add(toKey(relative(root, place.real)));
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
  return [...paths];
}
