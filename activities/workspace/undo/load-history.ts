import { attribute, declarations, splitIntervals, type Interval } from '../../../domain/workspace/attribution.ts';
import type { PathChange } from '../../../domain/workspace/path-history.ts';
import type { Writer } from '../../../domain/types/basic/workspace.ts';
import { sha256 } from '../../system/hash-file.ts';
import { nothing, parseEntry, type EntryText } from '../git/entry.ts';
import { eachBlob } from '../git/read-blob.ts';
import type { Journal } from '../snapshots/journal.ts';
import type { PathKey } from '../git/path-key.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { JournalMark, Meta, Snapshot } from '../git/snapshot.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';
import { listChanges, type TreeChange } from '../git/tree-changes.ts';

/** A change of a path, with the snapshots that it lies between. */
export interface RecordedChange extends PathChange {
  from: Snapshot;
  to: Snapshot;
}

/** The changes in a workspace since a task began in it. */
export interface History {
  marks: JournalMark[];
  /** In their order, by path. */
  changes: Map<PathKey, RecordedChange[]>;
  intervals: (Omit<Interval, 'from' | 'to' | 'gaps'> & { from: Snapshot; to: Snapshot })[];
  /** The paths that each writer announced. */
  declared: ReadonlyMap<string, ReadonlySet<string>>;
  /** Writers that ran when no snapshot had worked yet. */
  unseen: Writer[];
}

/** `now` is the workspace as it is, where somebody has looked. */
export async function loadHistory(
  repository: ShadowRepository,
  journal: Pick<Journal, 'marks' | 'meta'>,
  { task, now, deadline }: { task: string; now?: Snapshot; deadline: number },
): Promise<History> {
  const marks = journal.marks();
  const first = marks.find(({ writer }) => writer.task === task)?.seq ?? Infinity;
  const { intervals, unseen } = splitIntervals(now === undefined ? marks : [...marks, lookNow(task, now)]);
  const snapshots = new SnapshotReader(journal, now);
  const relevant = intervals
    .filter(({ to }) => to.seq > first)
    .map((interval) => ({ ...interval, from: snapshots.read(interval.from), to: snapshots.read(interval.to) }));
  const declared = declarations(marks);
  const treeChanges = await listChanges(repository, relevant, deadline);
  const hashes = await hashContents(repository, toCompare(relevant, treeChanges), deadline);
  const changes = new Map<PathKey, RecordedChange[]>();
  relevant.forEach(({ from, to, ...interval }, index) => {
    for (const { path, before, after } of treeChanges[index] ?? []) {
      const recorded = changes.get(path) ?? [];
      const content = { path, before: findContentHash(before, hashes), after: findContentHash(after, hashes) };
      recorded.push({ ...attribute(interval, content, declared), before, after, from, to });
      changes.set(path, recorded);
    }
  });
  return { marks, changes, intervals: relevant, declared, unseen };
}

/** Entries of paths that file tools wrote, whose contents are compared with what the tools left. */
function toCompare(intervals: readonly Pick<Interval, 'ledgers'>[], treeChanges: readonly TreeChange[][]): EntryText[] {
  return intervals.flatMap(({ ledgers }, index) => {
    const written = new Set([...ledgers.values()].flatMap((writes) => writes.map(({ path }) => path)));
    return (treeChanges[index] ?? []).flatMap(({ path, before, after }) => (written.has(path) ? [before, after] : []));
  });
}

/** By the ids of the blobs, as file tools hash them. */
async function hashContents(
  repository: ShadowRepository,
  entries: readonly EntryText[],
  deadline: number,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const oids = new Set(entries.map(parseEntry).flatMap((entry) => (entry?.kind === 'file' ? entry.oid : [])));
  const blobs = [...oids].map((oid) => ({ oid }));
  await eachBlob(repository, blobs, deadline, ({ oid }, bytes) => {
    hashes.set(oid, sha256(bytes));
    return Promise.resolve();
  });
  return hashes;
}

/** Undefined for what has no hash: a link, or a very large file. */
function findContentHash(entry: EntryText, hashes: ReadonlyMap<string, string>): string | null | undefined {
  if (entry === nothing) return null;
  const parsed = parseEntry(entry);
  return parsed?.kind === 'file' ? hashes.get(parsed.oid) : undefined;
}

/** A look that is not written down: it ends the last interval, and nothing else. */
function lookNow(task: string, { tree }: Snapshot): JournalMark {
  const writer = { task, subtask: null, undo: true };
  const about = { moment: 'start', writer, attempt: 0, declared: [], gap: null } as const;
  return { ...about, declared: [], seq: Infinity, at: Date.now(), tree, meta: null, host: '', process: null };
}

/** Metas are shared by many snapshots: each is read once. */
class SnapshotReader {
  readonly #journal: Pick<Journal, 'meta'>;
  readonly #now: Snapshot | undefined;
  readonly #metas = new Map<string, Meta>();

  constructor(journal: Pick<Journal, 'meta'>, now: Snapshot | undefined) {
    this.#journal = journal;
    this.#now = now;
  }

  read({ seq, tree, meta }: Interval<JournalMark>['from']): Snapshot {
    if (seq === Infinity && this.#now !== undefined) return this.#now;
    const storedMeta = this.#metas.get(meta ?? '') ?? this.#journal.meta(meta ?? '');
    if (storedMeta === undefined || tree === null) throw new SnapshotTrouble('the journal of the workspace is damaged');
    this.#metas.set(meta ?? '', storedMeta);
    return { tree, meta: storedMeta };
  }
}
