import type { Context } from '@temporalio/activity';
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';

import type { FileWrite, WriteLedger } from '../../../domain/workspace/tool-writes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { isSystemError } from '../../system/system-error.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { toKey, type PathKey } from '../git/path-key.ts';
import { recordSnapshot, type SnapshotParts } from './snapshots.ts';
import type { WriteWatch } from './write-watch.ts';

export interface AttemptParts extends SnapshotParts {
  logger: Pick<Context['log'], 'warn'>;
}

export interface SnapshotAttempt {
  taskId: string;
  subtaskId: string;
  attempt: number;
  workspace: string;
  deliverables: readonly string[];
  /** Deliverables of other subtasks in generated folders, which are taken in for their sake. */
  inGenerated?: readonly string[];
}

/**
 * The snapshots before and after what an attempt runs. Whatever happens to them, the attempt goes on.
 *
 * An agent that tells its writes has snapshots around each of its commands too. Whatever else changes while no command runs, and is no
 * write of a file tool, somebody else did. A snapshot that fails makes the writes unknown up to the next one: they count as the agent's.
 */
export class AttemptSnapshots implements WriteWatch {
  readonly #parts: AttemptParts;
  readonly #about: SnapshotAttempt;
  /** Since the last mark that is surely in the journal; undefined: a program, which tells nothing. */
  #writes: FileWrite[] | undefined;
  #commandFollows = false;
  #isUnsure = false;
  #isSlow = false;

  /** `writes`: those of the file tools of earlier executions. */
  constructor(parts: AttemptParts, about: SnapshotAttempt, writes?: readonly FileWrite[]) {
    this.#parts = parts;
    this.#about = about;
    if (writes !== undefined) this.#writes = writes.map(keyed);
  }

  noteWrites(writes: readonly FileWrite[]): void {
    this.#writes?.push(...writes.map(keyed));
  }

  async beforeCommand(): Promise<void> {
    if (this.#writes === undefined || this.#commandFollows) return;
    this.#commandFollows = true;
    await this.#takeBetween();
  }

  /** In a workspace where a snapshot takes long, one command is not told from the next. */
  async afterCommand(): Promise<void> {
    if (this.#writes === undefined || this.#isSlow) return;
    this.#commandFollows = false;
    await this.#takeBetween();
  }

  async #takeBetween(): Promise<void> {
    const began = performance.now();
    await this.#take('start', {});
    this.#isSlow ||= performance.now() - began > activityLimits.workspace.betweenCommands;
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
    this.#isUnsure = trouble !== undefined;
    if (trouble === undefined) {
      if (this.#writes !== undefined) this.#writes = [];
      return;
    }
    const about = { task: taskId, subtask: subtaskId, attempt, moment, trouble };
    this.#parts.logger.warn('a snapshot of the workspace failed; undo does not cover this time', about);
  }

  async #record(
    moment: 'start' | 'end',
    options: { timeout?: number; onlyIfOpen?: boolean },
  ): Promise<string | undefined> {
    const { taskId, subtaskId, attempt, workspace, deliverables, inGenerated = [] } = this.#about;
    try {
      const root = await realpath(workspace);
      const writer = { task: taskId, subtask: subtaskId, undo: false };
      const declared = await declaredPaths(root, deliverables);
      const kept = await declaredPaths(root, inGenerated);
      const about = { writer, attempt, moment, declared, kept, ledger: this.#ledger() };
      return await recordSnapshot(this.#parts, root, about, options);
    } catch (error) {
      // Even a mistake of ours in here must not cost somebody an attempt.
      return error instanceof Error ? error.message : String(error);
    }
  }

  #ledger(): WriteLedger | null {
    if (this.#writes === undefined || this.#isUnsure) return null;
    return { writes: [...this.#writes], commandFollows: this.#commandFollows };
  }
}

const keyed = ({ path, before, after }: FileWrite): FileWrite => ({ path: toKey(path), before, after });

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
