import { attribute, declarations, splitIntervals, type Interval } from '../../../domain/workspace/attribution.ts';
import type { PathChange } from '../../../domain/workspace/path-story.ts';
import type { Writer } from '../../../domain/model/workspace.ts';
import type { Journal } from '../snapshots/journal.ts';
import type { PathKey } from '../git/path-key.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { JournalMark, Meta, Snapshot } from '../git/snapshot.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';
import { changesOf } from '../git/tree-changes.ts';

/** A change of a path, with the snapshots that it lies between. */
export interface RecordedChange extends PathChange {
  from: Snapshot;
  to: Snapshot;
}

/** What happened in a workspace since a task began in it. */
export interface History {
  marks: JournalMark[];
  /** In their order, by path. */
  changes: Map<PathKey, RecordedChange[]>;
  intervals: { from: Snapshot; to: Snapshot; writers: Writer[]; unattended: boolean }[];
  /** What each writer said it would write. */
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
  const found = await changesOf(repository, relevant, deadline);
  const changes = new Map<PathKey, RecordedChange[]>();
  relevant.forEach(({ from, to, ...interval }, index) => {
    for (const { path, before, after } of found[index] ?? []) {
      const known = changes.get(path) ?? [];
      known.push({ ...attribute(interval, path, declared), before, after, from, to });
      changes.set(path, known);
    }
  });
  return { marks, changes, intervals: relevant, declared, unseen };
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
    const known = this.#metas.get(meta ?? '') ?? this.#journal.meta(meta ?? '');
    if (known === undefined || tree === null) throw new SnapshotTrouble('the journal of the workspace is damaged');
    this.#metas.set(meta ?? '', known);
    return { tree, meta: known };
  }
}
