import { attribute } from '../../../domain/workspace/attribution.ts';
import { nothing } from '../git/entry.ts';
import { sideFor } from './find-path-histories.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import type { History } from './load-history.ts';
import { listAncestors, type PathKey } from '../git/path-key.ts';
import { isCovered, type Restoration } from '../git/restore-paths.ts';
import { splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { Snapshot } from '../git/snapshot.ts';

interface FolderQuery {
  history: Pick<History, 'intervals' | 'declared'>;
  subject: WorkspaceSubject;
  restorations: readonly Restoration[];
  deadline: number;
}

/**
 * Folders that the subject made, and in which there is no file now, or will be none: those above removed files, and
 * those without files, which an undo that was cut off leaves too.
 */
export async function foldersToRemove(
  repository: ShadowRepository,
  { history, subject, restorations, deadline }: FolderQuery,
): Promise<Set<PathKey>> {
  const seen = new FolderReader(repository, deadline);
  const sideOf = sideFor(subject);
  const made = new Set<PathKey>();
  for (const [folder, path] of candidates(history, restorations)) {
    for (const interval of history.intervals) {
      if (await seen.has(interval.from, folder)) break;
      if (!(await seen.has(interval.to, folder))) continue;
      if (sideOf(attribute(interval, { path }, history.declared)) === 'own') made.add(folder);
      break;
    }
  }
  return made;
}

/** Folders, each with a path that tells whose it is: it came with the file in it. */
function candidates(
  { intervals }: FolderQuery['history'],
  restorations: readonly Restoration[],
): Map<PathKey, PathKey> {
  const folders = new Map((intervals.at(-1)?.to.meta.folders ?? []).map((folder) => [folder, folder]));
  for (const { path, target } of restorations) {
    if (target === nothing) for (const folder of listAncestors(path)) folders.set(folder, path);
  }
  return folders;
}

/** The folders that a snapshot had: those of its files, and those without. */
class FolderReader {
  readonly #repository: ShadowRepository;
  readonly #deadline: number;
  readonly #folders = new Map<string, Set<PathKey>>();

  constructor(repository: ShadowRepository, deadline: number) {
    this.#repository = repository;
    this.#deadline = deadline;
  }

  async has({ tree, meta }: Snapshot, folder: PathKey): Promise<boolean> {
    if (isCovered(meta.folders, folder)) return true;
    let folders = this.#folders.get(tree);
    if (folders === undefined) {
      const args = ['ls-tree', '-r', '-d', '-z', '--name-only', '--full-tree', tree];
      folders = new Set(splitZero((await this.#repository.git(args, { deadline: this.#deadline })).stdout));
      this.#folders.set(tree, folders);
    }
    return folders.has(folder);
  }
}
