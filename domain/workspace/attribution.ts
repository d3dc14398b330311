import type { Writer } from '../model/workspace.ts';

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
}

export const keyOf = ({ task, subtask, undo }: Writer): string => JSON.stringify([undo, task, subtask]);

/** Splits a journal into the intervals between the snapshots that worked. Writers that ran before the first one are `unseen`. */
export function splitIntervals<M extends Mark>(marks: readonly M[]): { intervals: Interval<M>[]; unseen: Writer[] } {
  const intervals: Interval<M>[] = [];
  const open = new Map<string, Writer>();
  let unseen: Writer[] = [];
  let current = new Map<string, Writer>();
  let unattended = false;
  let from: M | undefined;
  let gaps: M[] = [];
  for (const mark of marks) {
    const key = keyOf(mark.writer);
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
    else intervals.push({ from, to: mark, writers: [...current.values()], unattended, gaps });
    move(open, mark, key);
    from = mark;
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

/** Everything that each writer ever said it would write: a link it made itself is known at the end only. */
export function declarations(marks: readonly Mark[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { writer, declared } of marks) {
    const known = all.get(keyOf(writer)) ?? new Set<string>();
    for (const path of declared) known.add(path);
    all.set(keyOf(writer), known);
  }
  return all;
}

export interface Attribution {
  /** Who did it; several: one of them. Nobody of ours when empty. */
  by: Writer[];
  /** It may have been somebody else altogether. */
  orSomebody: boolean;
}

/** Who changed a path in an interval: all who ran, narrowed to those who said they would write it. */
export function attribute(
  { writers, unattended }: Pick<Interval, 'writers' | 'unattended'>,
  path: string,
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Attribution {
  const said = writers.filter((writer) => declares(declared.get(keyOf(writer)), path));
  const undoing = said.filter(({ undo }) => undo);
  // An undo writes what it named and nothing else.
  if (undoing.length > 0) return { by: undoing, orSomebody: false };
  const attempts = writers.filter(({ undo }) => !undo);
  if (attempts.length === 0) return { by: [], orSomebody: true };
  return { by: said.length > 0 ? said : attempts, orSomebody: unattended };
}

function declares(paths: ReadonlySet<string> | undefined, path: string): boolean {
  if (paths === undefined) return false;
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (paths.has(at)) return true;
  return paths.has('');
}
