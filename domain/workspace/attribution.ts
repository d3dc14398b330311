import type { Writer } from '../types/basic/workspace.ts';
import { computeShare, type ContentChange, type FileWrite, type WriteLedger } from './tool-writes.ts';

/** An entry of a workspace's journal. Without a tree it is a gap: the snapshot failed. */
export interface Mark {
  seq: number;
  at: number;
  /** `lost`: its worker died, and somebody else's work began. */
  moment: 'start' | 'end' | 'lost';
  writer: Writer;
  attempt: number;
  /** Files and folders that the writer said it would write. */
  declared: string[];
  tree: string | null;
  /** Why there is no tree. */
  gap: string | null;
  /** Absent or null: the writer is a program that may write anywhere. */
  ledger?: WriteLedger | null;
}

/** The time between two snapshots, and who could write in it. */
export interface Interval<M extends Mark = Mark> {
  from: M;
  to: M;
  writers: Writer[];
  /** Part of the time nobody of ours ran, and no snapshot separates it from the rest. */
  unattended: boolean;
  /** Snapshots that failed in between. */
  gaps: M[];
  /** Writers, by their keys, that ran no command meanwhile: these writes are all that they did. */
  ledgers: ReadonlyMap<string, readonly FileWrite[]>;
}

export const buildWriterKey = ({ task, subtask, undo }: Writer): string => JSON.stringify([undo, task, subtask]);

/** Splits a journal into the intervals between the snapshots that worked. Writers that ran before the first one are `unseen`. */
export function splitIntervals<M extends Mark>(marks: readonly M[]): { intervals: Interval<M>[]; unseen: Writer[] } {
  const intervals: Interval<M>[] = [];
  const open = new Map<string, Writer>();
  let unseen: Writer[] = [];
  let current = new Map<string, Writer>();
  let unattended = false;
  let from: M | undefined;
  let start = 0;
  let gaps: M[] = [];
  const ledgers = new LedgerReader(marks);
  for (const [index, mark] of marks.entries()) {
    const key = buildWriterKey(mark.writer);
    // An end without a start: its start was never written, so nobody knows since when it ran.
    if (mark.moment === 'end' && !open.has(key)) {
      current.set(key, mark.writer);
      unattended = true;
    }
    if (mark.tree === null) {
      gaps.push(mark);
      move(open, mark, key);
      for (const [other, writer] of open) current.set(other, writer);
      unattended ||= open.size === 0;
      continue;
    }
    if (from === undefined) unseen = [...current.values()];
    else {
      const writers = [...current.values()];
      intervals.push({ from, to: mark, writers, unattended, gaps, ledgers: ledgers.between(start, index, writers) });
    }
    move(open, mark, key);
    from = mark;
    start = index;
    gaps = [];
    current = new Map(open);
    unattended = open.size === 0;
  }
  if (from === undefined) unseen = [...current.values()];
  return { intervals, unseen };
}

function move(open: Map<string, Writer>, mark: Mark, key: string): void {
  if (mark.moment === 'start') open.set(key, mark.writer);
  else open.delete(key);
}

/** Finds who ran no command between two snapshots. Asked in the order of the journal. */
class LedgerReader {
  readonly #marks = new Map<string, { index: number; mark: Mark }[]>();
  /** Per writer, the first of its marks that may still matter. */
  readonly #cursors = new Map<string, number>();

  constructor(marks: readonly Mark[]) {
    for (const [index, mark] of marks.entries()) {
      const own = this.#marks.get(buildWriterKey(mark.writer)) ?? [];
      own.push({ index, mark });
      this.#marks.set(buildWriterKey(mark.writer), own);
    }
  }

  between(from: number, to: number, writers: readonly Writer[]): Map<string, FileWrite[]> {
    const writesByWriter = new Map<string, FileWrite[]>();
    for (const writer of writers) {
      const key = buildWriterKey(writer);
      const writes = this.#writes(key, from, to);
      if (writes !== undefined) writesByWriter.set(key, writes);
    }
    return writesByWriter;
  }

  /** Undefined where a command ran, or where nobody told. */
  #writes(key: string, from: number, to: number): FileWrite[] | undefined {
    const own = this.#marks.get(key) ?? [];
    let at = this.#cursors.get(key) ?? 0;
    while ((own[at + 1]?.index ?? Infinity) <= from) at += 1;
    this.#cursors.set(key, at);
    let end = at;
    while ((own[end]?.index ?? Infinity) < to) end += 1;
    const last = own[end]?.mark;
    const before = own.slice(at, end);
    const [first] = before;
    // Without a mark at its end nobody has told yet what it wrote.
    if (first === undefined || last === undefined || last.moment === 'lost' || !last.ledger) return undefined;
    const isComplete = before.every(
      ({ mark }) => mark.moment === 'start' && mark.ledger?.commandFollows === false && mark.attempt === last.attempt,
    );
    if (!isComplete) return undefined;
    const inside = before.filter(({ index }) => index > from).flatMap(({ mark }) => mark.ledger?.writes ?? []);
    return [...inside, ...last.ledger.writes];
  }
}

/** Everything that each writer ever said it would write: a link it made itself is known at the end only. */
export function declarations(marks: readonly Mark[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { writer, declared } of marks) {
    const declaredPaths = all.get(buildWriterKey(writer)) ?? new Set<string>();
    for (const path of declared) declaredPaths.add(path);
    all.set(buildWriterKey(writer), declaredPaths);
  }
  return all;
}

export interface Attribution {
  /** Who did it; several: one of them. Nobody of ours when empty. */
  by: Writer[];
  /** It may have been somebody else altogether. */
  orSomebody: boolean;
  /** Those that ran meanwhile and are known not to have done it, or not alone: what they wrote themselves is known. */
  during?: Writer[];
}

/** Who changed a path in an interval: all who ran, narrowed to those whose tools wrote it, then to those who said they would write it. */
export function attribute(
  { writers, unattended, ledgers }: Pick<Interval, 'writers' | 'unattended'> & Partial<Pick<Interval, 'ledgers'>>,
  change: ContentChange,
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Attribution {
  const declaring = (some: readonly Writer[]): Writer[] =>
    some.filter((writer) => declares(declared.get(buildWriterKey(writer)), change.path));
  const undoing = declaring(writers.filter(({ undo }) => undo));
  // An undo writes what it named and nothing else.
  if (undoing.length > 0) return { by: undoing, orSomebody: false };
  const attempts = writers.filter(({ undo }) => !undo);
  if (attempts.length === 0) return { by: [], orSomebody: true };
  const shares = Map.groupBy(attempts, (writer) => {
    const writes = ledgers?.get(buildWriterKey(writer));
    return writes === undefined ? 'unknown' : computeShare(writes, change);
  });
  const { all = [], part = [], unknown = [] } = Object.fromEntries(shares);
  if (all.length > 0) return { by: all, orSomebody: false };
  if (unknown.length === 0) return { by: part, orSomebody: true, during: part.length > 0 ? part : attempts };
  if (part.length > 0) return { by: [...part, ...unknown], orSomebody: unattended };
  const declarers = declaring(unknown);
  return { by: declarers.length > 0 ? declarers : unknown, orSomebody: unattended };
}

function declares(paths: ReadonlySet<string> | undefined, path: string): boolean {
  if (paths === undefined) return false;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (paths.has(at)) return true;
  return paths.has('');
}
