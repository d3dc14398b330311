import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { DependencyResult } from '../../domain/types/attempt.ts';
import type { FinishedSubtask, LeftBy, LeftState, Reuse } from '../../domain/types/reuse.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { worksInWorkspace } from '../../domain/executors/kinds.ts';
import { stampDeliverables } from '../files/stamp-deliverables.ts';
import type { Store } from '../store/store.ts';
import { loadResult } from '../pages/load-results.ts';
import { compareLeftFiles } from '../workspace/reuse/compare-left-files.ts';
import type { SnapshotParts } from '../workspace/snapshots/snapshots.ts';

/** The place where finished work is reused. */
interface ReuseLocation {
  store: Pick<Store, 'get'>;
  workspace: string;
  snapshots: SnapshotParts;
}

/** Reused work must still hold here: known ids, their dependencies too, results in the store, unchanged files. */
export async function checkReuse(reuse: Reuse, subtasks: readonly Subtask[], place: ReuseLocation): Promise<void> {
  const reused = new Set(reuse.subtasks.map(({ id }) => id));
  const definitions = new Map(subtasks.map((subtask) => [subtask.id, subtask]));
  const work: LeftBy[] = [];
  for (const finished of reuse.subtasks) {
    const { id } = finished;
    const definition = definitions.get(id);
    const missing = definition?.dependsOn.find((dependency) => !reused.has(dependency));
    if (definition === undefined || missing !== undefined) {
      throw notReusable(`${id} of the task ${reuse.task} does not fit into this plan`);
    }
    const { files = [], task = reuse.task } = await loadReusedResult(finished, place);
    const now = await stampDeliverables(
      place.workspace,
      files.map(({ path }) => path),
    );
    const changed = files.find(({ sha256 }, index) => now[index]?.sha256 !== sha256);
    if (changed !== undefined) throw notReusable(`${changed.path} has changed since ${id} finished`);
    work.push({ task, subtask: id, here: worksInWorkspace(definition.executor) });
  }
  const lineage = [...(reuse.earlier ?? []), reuse.task];
  const left = await compareLeftFiles(place.snapshots, { workspace: place.workspace, work, lineage });
  for (const [index, { subtask }] of work.entries()) checkLeft(subtask, left[index] ?? { unknown: true });
}

function checkLeft(id: string, left: LeftState): void {
  if ('unknown' in left) throw notReusable(`no snapshots show whether the files of ${id} are as it left them`);
  if (left.changed !== null) throw notReusable(`${left.changed} has changed since ${id} finished`);
}

async function loadReusedResult({ id, result }: FinishedSubtask, { store }: ReuseLocation): Promise<DependencyResult> {
  try {
    const stored = await loadResult(store, result);
    if (stored.id === id) return stored;
  } catch (error) {
    // Trouble with the disk passes; an object that is not there stays away.
    if (!(error instanceof HeddleError)) throw error;
  }
  throw notReusable(`the result of ${id} is not in the store of this host`);
}

function notReusable(message: string): HeddleError {
  return new HeddleError({
    code: 'RETRY_DOES_NOT_FIT',
    message: `Finished work cannot be reused: ${message}`,
    hint: 'Run `heddle retry` again: it looks at files and results as they are now.',
  });
}
