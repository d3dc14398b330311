import { entryText, largeText, leftOutText, nothing, unmergedText, type EntryText } from './entry.ts';
import { isBelowLeftOut } from './left-out.ts';
import type { PathKey } from './path-key.ts';
import { splitZero } from './run-git.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import type { Meta, Snapshot } from './snapshot.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

/** How one path differs between two snapshots. */
export interface TreeChange {
  path: PathKey;
  before: EntryText;
  after: EntryText;
}

interface RawChange {
  path: PathKey;
  before: { mode: string; oid: string };
  after: { mode: string; oid: string };
}

/** Lists the files that differ between two snapshots: bytes, kinds, permissions, and large files by their looks. */
export async function changes(
  repository: ShadowRepository,
  from: Snapshot,
  to: Snapshot,
  deadline: number,
): Promise<TreeChange[]> {
  const [found = []] = await listFileChanges(repository, [{ from, to }], deadline);
  return found.filter(({ before, after }) => before !== after);
}

/** The same for many pairs, with one call to git, and with the folders that were left out, each as one entry. */
export async function listChanges(
  repository: ShadowRepository,
  pairs: readonly { from: Snapshot; to: Snapshot }[],
  deadline: number,
): Promise<TreeChange[][]> {
  const files = await listFileChanges(repository, pairs, deadline);
  return pairs.map(({ from, to }, index) => {
    const changed = new Map((files[index] ?? []).map((change) => [change.path, change]));
    addLeftOut(from.meta, to, changed);
    return [...changed.values()].filter(({ before, after }) => before !== after);
  });
}

async function listFileChanges(
  repository: ShadowRepository,
  pairs: readonly { from: Snapshot; to: Snapshot }[],
  deadline: number,
): Promise<TreeChange[][]> {
  const raw = await diffTrees(repository, pairs, deadline);
  const changes: TreeChange[][] = [];
  for (const { from, to } of pairs) {
    const changed = new Map<PathKey, TreeChange>();
    const answer = from.tree === to.tree ? [] : raw.get(`${from.tree} ${to.tree}`);
    // Trees that differ and of which git says nothing are not the same for that.
    if (answer === undefined) throw new SnapshotTrouble('git did not compare two snapshots');
    for (const { path, before, after } of answer) {
      // Below a folder that one of the two left out nobody knows what changed.
      if (isBelowLeftOut(from.meta, path) || isBelowLeftOut(to.meta, path)) continue;
      changed.set(path, {
        path,
        before: entryText(from.meta, path, before.mode, before.oid),
        after: entryText(to.meta, path, after.mode, after.oid),
      });
    }
    await addModes(repository, from, to, changed, deadline);
    addLarge(from.meta, to.meta, changed);
    changes.push([...changed.values()]);
  }
  return changes;
}

async function diffTrees(
  repository: ShadowRepository,
  pairs: readonly { from: Snapshot; to: Snapshot }[],
  deadline: number,
): Promise<Map<string, RawChange[]>> {
  const treePairs = new Set(
    pairs.filter(({ from, to }) => from.tree !== to.tree).map(({ from, to }) => `${from.tree} ${to.tree}`),
  );
  const answers = new Map<string, RawChange[]>();
  if (treePairs.size === 0) return answers;
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const stdin = [...treePairs].map((pair) => `${pair}\n`).join('');
  const text = (await repository.git(args, { stdin, deadline })).stdout.toString('latin1');
  let current: RawChange[] = [];
  for (let at = 0; at < text.length;) {
    const isHead = text[at] !== ':';
    const end = text.indexOf(isHead ? '\n' : '\0', at);
    const head = text.slice(at, end);
    at = end + 1;
    if (isHead) {
      current = [];
      answers.set(head, current);
      continue;
    }
    const pathEnd = text.indexOf('\0', at);
    current.push(parseRaw(head, text.slice(at, pathEnd)));
    at = pathEnd + 1;
  }
  return answers;
}

/** `:100644 100755 <oid> <oid> M`. */
function parseRaw(head: string, path: PathKey): RawChange {
  const [modeBefore = '', modeAfter = '', oidBefore = '', oidAfter = ''] = head.slice(1).split(' ');
  return { path, before: { mode: modeBefore, oid: oidBefore }, after: { mode: modeAfter, oid: oidAfter } };
}

/** Permissions that git does not keep may differ where the trees do not. */
async function addModes(
  repository: ShadowRepository,
  from: Snapshot,
  to: Snapshot,
  changed: Map<PathKey, TreeChange>,
  deadline: number,
): Promise<void> {
  const paths = new Set([...Object.keys(from.meta.modes), ...Object.keys(to.meta.modes)]);
  const differ = [...paths].filter((path) => !changed.has(path) && modeIn(from.meta, path) !== modeIn(to.meta, path));
  if (differ.length === 0) return;
  const entries = await listTree(repository, to.tree, deadline);
  for (const path of differ) {
    const entry = entries.get(path);
    if (entry === undefined) continue;
    const [before, after] = [from, to].map(({ meta }) => entryText(meta, path, entry.mode, entry.oid));
    changed.set(path, { path, before: before ?? nothing, after: after ?? nothing });
  }
}

const modeIn = (meta: Meta, path: PathKey): number | undefined =>
  Object.hasOwn(meta.modes, path) ? meta.modes[path] : undefined;

/** A folder that was left out is known by its stamp alone. */
function addLeftOut(from: Meta, { tree, meta: to }: Snapshot, changed: Map<PathKey, TreeChange>): void {
  const textIn = (meta: Meta, path: PathKey): EntryText | undefined => {
    const leftOut = Object.hasOwn(meta.leftOut, path) ? meta.leftOut[path] : undefined;
    return leftOut === undefined ? undefined : leftOutText(leftOut);
  };
  for (const path of new Set([...Object.keys(from.leftOut), ...Object.keys(to.leftOut)])) {
    // A rule of the user that came or went changes nothing in the folder.
    if (from.leftOut[path]?.stamp === to.leftOut[path]?.stamp) continue;
    const change = changed.get(path) ?? { path, before: nothing, after: nothing };
    changed.set(path, {
      path,
      before: textIn(from, path) ?? change.before,
      after: textIn(to, path) ?? change.after,
    });
  }
  for (const path of to.unmerged ?? []) {
    const before = changed.get(path)?.before ?? textIn(from, path) ?? nothing;
    changed.set(path, { path, before, after: unmergedText(tree) });
  }
}

function addLarge(from: Meta, to: Meta, changed: Map<PathKey, TreeChange>): void {
  const [before, after] = [largeFiles(from), largeFiles(to)];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (isBelowLeftOut(from, path) || isBelowLeftOut(to, path)) continue;
    const change = changed.get(path) ?? { path, before: nothing, after: nothing };
    changed.set(path, {
      path,
      before: before.get(path) ?? change.before,
      after: after.get(path) ?? change.after,
    });
  }
}

const largeFiles = (meta: Meta): Map<PathKey, EntryText> =>
  new Map(meta.outside.flatMap(({ path, why, stamp = '' }) => (why === 'large' ? [[path, largeText(stamp)]] : [])));

export interface ListedFile {
  mode: string;
  oid: string;
}

/** Lists every file of a tree. */
export async function listTree(
  repository: ShadowRepository,
  tree: string,
  deadline: number,
): Promise<Map<PathKey, ListedFile>> {
  const { stdout } = await repository.git(['ls-tree', '-r', '-z', '--full-tree', tree], { deadline });
  return new Map(
    splitZero(stdout).map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
      return [line.slice(tab + 1), { mode, oid }];
    }),
  );
}
