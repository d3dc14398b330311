import type { Writer } from '../types/basic/workspace.ts';
import { computeShare, type ContentChange, type FileWrite, type WriteLedger } from './tool-writes.ts';

/** An entry of a workspace's journal. Without a tree it is a gap: the snapshot failed. */
export interface WriterMark {
  seq: number;
  at: number;
  /** `lost`: the writer's worker died, and another writer began. */
  moment: 'start' | 'end' | 'lost';
  writer: Writer;
  attempt: number;
  /** Files and folders that the writer declared it would write. */
  declared: string[];
  tree: string | null;
  /** The reason why there is no tree. */
  gap: string | null;
  /** Absent or null: the writer is a program that may write anywhere. */
  ledger?: WriteLedger | null;
}

/** The time between two snapshots, and the writers in it. */
export interface Interval<M extends WriterMark = WriterMark> {
  from: M;
  to: M;
  writers: Writer[];
  /** For a part of the time no writer of ours ran, and no snapshot separates it from the rest. */
  unattended: boolean;
  /** Snapshots that failed in between. */
  gaps: M[];
  /** The writes of writers that ran no command in this time, by their keys: these lists are complete. */
  ledgers: ReadonlyMap<string, readonly FileWrite[]>;
}

export const buildWriterKey = ({ task, subtask, undo }: Writer): string => JSON.stringify([undo, task, subtask]);

/** Splits a journal into the intervals between the snapshots that worked. Writers that ran before the first one are `unseen`. */
export function splitIntervals<M extends WriterMark>(
  marks: readonly M[],
): { intervals: Interval<M>[]; unseen: Writer[] } {
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
    // An end without a start: the start was never written, so the writer may have run for any time.
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

function move(open: Map<string, Writer>, mark: WriterMark, key: string): void {
  if (mark.moment === 'start') open.set(key, mark.writer);
  else open.delete(key);
}

/** Finds writers that ran no command between two snapshots. Calls must follow the order of the journal. */
class LedgerReader {
  readonly #marks = new Map<string, { index: number; mark: WriterMark }[]>();
  /** For each writer, the first of its marks that may still matter. */
  readonly #cursors = new Map<string, number>();

  constructor(marks: readonly WriterMark[]) {
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

  /** Undefined where a command ran, or where the writes are unknown. */
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
    // Without a mark at its end the writer's writes are not known yet.
    if (first === undefined || last === undefined || last.moment === 'lost' || !last.ledger) return undefined;
    const isComplete = before.every(
      ({ mark }) => mark.moment === 'start' && mark.ledger?.commandFollows === false && mark.attempt === last.attempt,
    );
    if (!isComplete) return undefined;
    const inside = before.filter(({ index }) => index > from).flatMap(({ mark }) => mark.ledger?.writes ?? []);
    return [...inside, ...last.ledger.writes];
  }
}

/** Collects all paths that each writer ever declared, because a link that it made itself is declared only at its end. */
export function declarations(marks: readonly WriterMark[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { writer, declared } of marks) {
    const declaredPaths = all.get(buildWriterKey(writer)) ?? new Set<string>();
    for (const path of declared) declaredPaths.add(path);
    all.set(buildWriterKey(writer), declaredPaths);
  }
  return all;
}

export interface Attribution {
  /** The writers that may have made the change; more than one when it is uncertain. Empty when no writer of ours did. */
  by: Writer[];
  /** Another person or program may have made the change. */
  orSomebody: boolean;
  /** Writers that ran meanwhile and did not make the change, or not alone, because their own writes are known. */
  during?: Writer[];
}

/** Attributes a change in an interval: to all writers, narrowed to those whose tools wrote the path, then to those who declared it. */
export function attribute(
  { writers, unattended, ledgers }: Pick<Interval, 'writers' | 'unattended'> & Partial<Pick<Interval, 'ledgers'>>,
  change: ContentChange,
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Attribution {
  const declaring = (some: readonly Writer[]): Writer[] =>
    some.filter((writer) => declares(declared.get(buildWriterKey(writer)), change.path));
  const undoing = declaring(writers.filter(({ undo }) => undo));
  // An undo writes the files that it named and nothing else.
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
