import { listGeneratedAbove } from '../../../domain/workspace/generated-folders.ts';
import { listAncestors, type PathKey } from '../git/path-key.ts';
import { splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { IndexState, LeftOut, Meta } from '../git/snapshot.ts';
import { findChanges, isRules, type FoundChanges } from './find-changes.ts';
import { chooseScope, type FolderStamps, type Scope } from './folder-stamps.ts';
import { describeLeftOut, groupByParent, listGenerated, restampLeftOut } from './generated-folders.ts';
import { findTracked, FolderOwners } from './tracked-folders.ts';

export interface WorkspaceSearch {
  /** The result of the snapshot before, where our index is as it left it. */
  before: { state: IndexState; meta: Meta } | undefined;
  stamps: FolderStamps;
  /** Generated folders that were taken in before, and paths that somebody declares to write. */
  kept: readonly PathKey[];
  declared: readonly PathKey[];
}

export interface FoundWorkspace {
  changes: FoundChanges & { scope: Scope };
  generated: PathKey[];
  leftOut: Record<PathKey, LeftOut>;
  kept: PathKey[];
  repositories: string;
}

/**
 * Finds what may differ from our index, and which generated folders stay outside. Such a folder is taken in whole when a file in it is
 * tracked by the user's git, or somebody declares a path in it as a deliverable; from then on it always is, so that no later snapshot
 * takes its files for deleted.
 */
export async function searchWorkspace(
  repository: ShadowRepository,
  { before, stamps, kept: keptBefore, declared }: WorkspaceSearch,
  deadline: number,
): Promise<FoundWorkspace> {
  const kept = new Set([...keptBefore, ...declared.flatMap(listGeneratedAbove)]);
  let rulesChanged = await repository.keepGenerated([...kept]);
  let changes = await findChanges(repository, rulesChanged ? 'all' : chooseScope(before, stamps), deadline);
  const owners = new FolderOwners(repository.workspace);
  const folders = await readKnownFolders(repository, before, stamps, deadline);
  const list = (): PathKey[] => listGenerated(repository.workspace, folders.list(changes), folders.cached);
  let generated = list();
  const repositories = owners.stampAll(generated);
  const checkedFolders = new Set(before?.state.repositories === repositories ? before.state.generated : []);
  for (;;) {
    const open = generated.filter((path) => !kept.has(path) && !checkedFolders.has(path));
    for (const path of open) checkedFolders.add(path);
    const tracked = await findTracked(repository, owners, open, deadline);
    if (tracked.length === 0) break;
    for (const path of tracked) kept.add(path);
    rulesChanged = (await repository.keepGenerated([...kept])) || rulesChanged;
    changes = await findChanges(repository, 'all', deadline);
    generated = list();
  }
  const isSame =
    before !== undefined &&
    !rulesChanged &&
    !mayChangeRules(changes) &&
    before.state.generated.join('\0') === generated.join('\0');
  const leftOut = isSame
    ? restampLeftOut(repository.workspace, before.meta.leftOut)
    : await describeLeftOut(repository, generated, deadline);
  return { changes, generated, leftOut, kept: [...kept].sort(), repositories };
}

const mayChangeRules = ({ files, deleted }: FoundChanges): boolean => [...files, ...deleted].some(isRules);

/** Folders that hold files of the workspace, and what was listed in those that have not changed since. */
async function readKnownFolders(
  repository: ShadowRepository,
  before: WorkspaceSearch['before'],
  stamps: FolderStamps,
  deadline: number,
): Promise<{
  list: (changes: FoundChanges) => Set<PathKey>;
  cached: (folder: PathKey) => readonly PathKey[] | undefined;
}> {
  const earlier = new Set(stamps.keys());
  // Too many to remember: our index names them.
  if ((before === undefined || before.state.folders === null) && repository.hasIndex) {
    const { stdout } = await repository.git(['ls-files', '-z'], { deadline });
    for (const path of splitZero(stdout)) addAncestors(earlier, path);
  }
  const byParent = groupByParent(before?.state.generated ?? []);
  return {
    list: ({ files, folders }) => {
      // A folder without files may be a generated one, and what is in that is its own affair.
      const empty = folders.filter((folder) => listGeneratedAbove(folder).length === 0);
      const all = new Set(['', ...earlier, ...empty]);
      for (const path of files) addAncestors(all, path);
      return all;
    },
    cached: (folder) => {
      const stamp = stamps.get(folder) ?? '';
      const isSame = stamp !== '' && before?.state.folders?.[folder] === stamp;
      return isSame ? (byParent.get(folder) ?? []) : undefined;
    },
  };
}

/** Stops at a folder that is known: those above it are too. */
function addAncestors(folders: Set<PathKey>, path: PathKey): void {
  for (const folder of listAncestors(path)) {
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}
