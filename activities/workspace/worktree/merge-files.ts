import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TreeEntry, EntryText } from '../git/entry.ts';
import { isLargeText, nothing, parseEntry } from '../git/entry.ts';
import { listAncestors, type PathKey } from '../git/path-key.ts';
import { readBlob } from '../git/read-blob.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { TreeChange } from '../git/tree-changes.ts';

/** The action of a merge on a path: `null` removes it, `large` takes the copy's file as it is, since no repository holds it. */
export interface MergedPath {
  path: PathKey;
  entry: TreeEntry | 'large' | null;
  /** Bytes that are in no repository yet: both sides changed the file in different places. */
  bytes?: Buffer;
}

export interface Merge {
  /** The changes of the copy that the workspace has to get. */
  merged: MergedPath[];
  /** Paths that both changed in ways that cannot be put together. */
  conflicts: PathKey[];
}

/** The changes that two sides, the workspace and the copy, made to one state. */
export interface Sides {
  ours: readonly TreeChange[];
  theirs: readonly TreeChange[];
  /** Tells whether the two large files of this name have the same bytes. */
  isSameLarge: (path: PathKey) => Promise<boolean>;
}

/** Puts together what two sides made of one state, path by path. Changes nothing. */
export async function planMerge(
  repository: ShadowRepository,
  { ours, theirs, isSameLarge }: Sides,
  deadline: number,
): Promise<Merge> {
  const oursByPath = new Map(ours.map((change) => [change.path, change]));
  const merge: Merge = { merged: [], conflicts: [] };
  for (const { path, before, after } of theirs) {
    // Large files of the workspace are in no copy: a missing one was not removed by the subtask.
    if (same(before, after) || (isLargeText(before) && after === nothing)) continue;
    const own = oursByPath.get(path)?.after ?? before;
    if (same(own, after)) continue;
    if (isLargeText(own) || isLargeText(after)) {
      const isFree = same(own, before) && !isLargeText(own);
      if (isFree) merge.merged.push({ path, entry: 'large' });
      // A merge that was cut off has brought it already.
      else if (!(isLargeText(own) && isLargeText(after) && (await isSameLarge(path)))) merge.conflicts.push(path);
    } else if (same(own, before)) merge.merged.push({ path, entry: keepMode(own, after) });
    else {
      const both = await mergeText(repository, { base: before, ours: own, theirs: after }, deadline);
      if (both === undefined) merge.conflicts.push(path);
      else merge.merged.push({ path, ...both });
    }
  }
  const taken = new Set(merge.merged.flatMap(({ path, entry }) => (entry === null ? [] : [path])));
  merge.conflicts.push(...inTheWay(taken, ours, theirs));
  return { ...merge, conflicts: [...new Set(merge.conflicts)].sort() };
}

/** Permissions beyond git's one bit are the machine's habit and no change. */
function same(one: EntryText, other: EntryText): boolean {
  const [a, b] = [parseEntry(one), parseEntry(other)];
  if (a === undefined || b === undefined) return one === other;
  return a.kind === b.kind && a.oid === b.oid && isProgram(a) === isProgram(b);
}

const isProgram = ({ kind, permissions }: TreeEntry): boolean => kind === 'file' && (permissions & 0o100) !== 0;

/** The workspace's own permissions stay, unless the file became a program or ceased to be one. */
function keepMode(own: EntryText, after: EntryText): TreeEntry | null {
  const [before, entry] = [parseEntry(own), parseEntry(after)];
  if (entry === undefined) return null;
  if (before?.kind !== 'file' || isProgram(before) !== isProgram(entry)) return entry;
  return { ...entry, permissions: before.permissions };
}

async function mergeText(
  repository: ShadowRepository,
  texts: Record<'base' | 'ours' | 'theirs', EntryText>,
  deadline: number,
): Promise<Pick<MergedPath, 'entry' | 'bytes'> | undefined> {
  const [base, ours, theirs] = [parseEntry(texts.base), parseEntry(texts.ours), parseEntry(texts.theirs)];
  if (base?.kind !== 'file' || ours?.kind !== 'file' || theirs?.kind !== 'file') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'heddle-merge-'));
  try {
    const files = await Promise.all(
      [ours, base, theirs].map(async ({ oid }, index) => {
        const file = join(folder, String(index));
        await writeFile(file, await readBlob(repository, oid, deadline));
        return file;
      }),
    );
    // Up to 127 is the number of conflicts; more, as for binary files, is an answer too: no.
    const answers = Array.from({ length: 255 }, (_, index) => index + 1);
    const { stdout, code } = await repository.git(['merge-file', '-p', '-q', ...files], { deadline, answers });
    if (code !== 0) return undefined;
    const permissions = isProgram(theirs) === isProgram(base) ? ours.permissions : theirs.permissions;
    return { entry: { kind: 'file', oid: '', permissions }, bytes: stdout };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file where the other side has a folder, or the other way round. */
function inTheWay(taken: ReadonlySet<PathKey>, ours: readonly TreeChange[], theirs: readonly TreeChange[]): PathKey[] {
  const removed = new Set(theirs.filter(({ after }) => after === nothing).map(({ path }) => path));
  const made = ours.filter(({ path, after }) => after !== nothing && !removed.has(path)).map(({ path }) => path);
  const above = new Set([...taken].flatMap(listAncestors));
  return made.filter((path) => above.has(path) || listAncestors(path).some((folder) => taken.has(folder)));
}
