import { opendirSync, readdirSync } from 'node:fs';

import { activityLimits } from '../../limits/activity-limits.ts';
import { scopeArguments, type Scope } from './folder-stamps.ts';
import { lookAt } from './look-at-files.ts';
import { listAncestors, decodePath, parentOf, diskPath, type PathKey } from '../git/path-key.ts';
import { joinZero, splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';

export interface FoundChanges {
  /** Files that may be different now, and files that are new. */
  files: Set<PathKey>;
  /** Those of them that are in our index, with mode and id that they have there. */
  indexed: Map<PathKey, { mode: string; oid: string }>;
  /** Files that are in our index and no longer there, perhaps because a folder above them is now a link. */
  deleted: Set<PathKey>;
  /** Folders without a file that git keeps, the topmost of each branch. */
  folders: PathKey[];
  /** Folders that may not be read. */
  unreadable: PathKey[];
}

const listing = ['ls-files', '--others', '--exclude-standard', '-z'];

/**
 * Asks git what may differ from our index: at most about as much work as `git status`, less where few folders have changed.
 * Nothing is read but names and times. Folders outside of the scope are not reported.
 */
export async function findChanges(
  repository: ShadowRepository,
  scope: Scope,
  deadline: number,
): Promise<FoundChanges & { scope: Scope }> {
  const result = await findWithin(repository, scope, deadline);
  const rulesChanged = [...result.files, ...result.deleted].some(isRules);
  // A changed rule brings into view, or hides, what no folder's time tells.
  if (scope === 'all' || !rulesChanged) return { ...result, scope };
  return { ...(await findWithin(repository, 'all', deadline)), scope: 'all' };
}

export const isRules = (path: PathKey): boolean => path === '.gitignore' || path.endsWith('/.gitignore');

async function findWithin(repository: ShadowRepository, scope: Scope, deadline: number): Promise<FoundChanges> {
  const none = { stdout: Buffer.alloc(0), stderr: '' };
  // A process costs more than a look: git is not asked where it has nothing to tell.
  const [dirty, others] = await Promise.all([
    repository.hasIndex
      ? repository.git(['diff-files', '--ignore-submodules=all', '--raw', '--no-abbrev', '--no-renames', '-z'], {
          deadline,
        })
      : none,
    scope.length === 0 || isEmpty(repository.workspace)
      ? none
      : repository.git([...listing, '--directory', ...scopeArguments(scope)], { deadline }),
  ]);
  const unreadable = unreadableFolders(others.stderr);
  const result: FoundChanges = { files: new Set(), indexed: new Map(), deleted: new Set(), folders: [], unreadable };
  const parts = splitZero(dirty.stdout);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = parts[at + 1] ?? '';
    const [before = '', after = '', oid = ''] = (parts[at] ?? '').split(' ');
    // A file that became a repository is gone: what is in the folder is looked at like any other.
    if (parts[at]?.endsWith(' D') === true || after === '160000') result.deleted.add(path);
    else result.files.add(path);
    result.indexed.set(path, { mode: before.slice(1), oid });
  }
  const names = splitZero(others.stdout);
  if (names.length > activityLimits.workspace.files) throw tooMany();
  for (const name of names) if (!isFolder(name)) result.files.add(name);
  // Git does not name a folder whose name its index has as a file.
  const turned = [...result.deleted].filter((path) => lookAt(repository.workspace, path).kind === 'folder');
  await openFolders(repository, [...names.filter(isFolder).map(withoutSlash), ...turned], result, deadline);
  if (result.files.size > activityLimits.workspace.files) throw tooMany();
  return result;
}

/** A folder that cannot be opened does not count as empty: git says what is wrong with it. */
function isEmpty(folder: string): boolean {
  try {
    const open = opendirSync(folder, { bufferSize: 1 });
    try {
      return open.readSync() === null;
    } finally {
      open.closeSync();
    }
  } catch {
    return false;
  }
}

/** Folders that git named as a whole: what is in them, repositories of somebody's own too. */
async function openFolders(
  repository: ShadowRepository,
  folders: PathKey[],
  result: FoundChanges,
  deadline: number,
): Promise<void> {
  const opened: PathKey[] = [];
  let repositories: PathKey[] = [];
  let mustList = false;
  for (const folder of folders) {
    const entries = namesIn(repository, folder).filter((name) => name !== '.git');
    if (entries.length === 0) {
      result.folders.push(folder);
      continue;
    }
    opened.push(folder);
    mustList = true;
    if (isRepository(repository, folder)) repositories.push(folder);
  }
  const holdsFiles = new Set<PathKey>();
  for (let depth = 0; mustList && depth <= activityLimits.workspace.nestedRepositories; depth += 1) {
    await enter(repository, repositories, result.deleted, deadline);
    const { stdout, stderr } = await repository.git([...listing, ...scopeArguments(narrow(opened))], { deadline });
    result.unreadable.push(...unreadableFolders(stderr));
    const names = splitZero(stdout);
    for (const file of names.filter((name) => !isFolder(name))) {
      result.files.add(file);
      for (const ancestor of listAncestors(file)) holdsFiles.add(ancestor);
    }
    repositories = names
      .filter(isFolder)
      .map(withoutSlash)
      .filter((name) => isFilled(repository, name));
    mustList = repositories.length > 0;
  }
  for (const folder of opened) findHollow(repository, folder, holdsFiles, result.folders);
}

const narrow = (folders: PathKey[]): Scope =>
  folders.length <= activityLimits.workspace.scopeFolders && folders.every((folder) => decodePath(folder) !== undefined)
    ? folders
    : 'all';

/**
 * Git lists nothing inside of another repository unless its own index names a file in there. So it gets one, which does not exist
 * and goes again with the update that follows.
 */
async function enter(
  repository: ShadowRepository,
  repositories: readonly PathKey[],
  deleted: Set<PathKey>,
  deadline: number,
): Promise<void> {
  if (repositories.length === 0) return;
  const seeds = repositories.map((folder) => `${folder}/.heddle-seed`);
  const stdin = joinZero(seeds.map((seed) => `100644 ${emptyBlob}\t${seed}`));
  await repository.git(['update-index', '--add', '--replace', '-z', '--index-info'], { stdin, deadline });
  for (const seed of seeds) deleted.add(seed);
}

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** Goes down only where there are files: below an empty or ignored folder nothing is of interest. */
function findHollow(
  repository: ShadowRepository,
  folder: PathKey,
  holdsFiles: ReadonlySet<PathKey>,
  hollow: PathKey[],
): void {
  if (!holdsFiles.has(folder)) {
    hollow.push(folder);
    return;
  }
  for (const entry of listEntries(repository, folder)) {
    const name = entry.name.toString('latin1');
    if (entry.isDirectory() && name !== '.git') findHollow(repository, `${folder}/${name}`, holdsFiles, hollow);
  }
}

function listEntries(repository: ShadowRepository, folder: PathKey) {
  try {
    return readdirSync(diskPath(repository.workspace, folder), { encoding: 'buffer', withFileTypes: true });
  } catch {
    // Gone or closed under our eyes: the next snapshot sees what became of it.
    return [];
  }
}

const namesIn = (repository: ShadowRepository, folder: PathKey): string[] =>
  listEntries(repository, folder).map(({ name }) => name.toString('latin1'));

const isRepository = (repository: ShadowRepository, folder: PathKey): boolean =>
  namesIn(repository, folder).includes('.git');

export const isEmptyFolder = (repository: ShadowRepository, folder: PathKey): boolean =>
  namesIn(repository, folder).length === 0;

const isFilled = (repository: ShadowRepository, folder: PathKey): boolean =>
  namesIn(repository, folder).some((name) => name !== '.git');

const isFolder = (name: string): boolean => name.endsWith('/');
const withoutSlash = (name: string): PathKey => parentOf(name);

/** Names of files that git warns of and leaves out. */
function unreadableFolders(complaints: string): PathKey[] {
  const warnings = complaints.matchAll(/^warning: could not open directory '(.*?)\/?': /gm);
  return [...warnings].map(([, folder]) => folder ?? '').filter((folder) => folder !== '');
}

const tooMany = (): SnapshotTrouble =>
  new SnapshotTrouble(`the workspace has more than ${activityLimits.workspace.files} files that are not ignored`);
