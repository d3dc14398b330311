/** A write of a file tool: the hash of the content before and after; null: not there. */
export interface FileWrite {
  path: string;
  before: string | null;
  after: string | null;
}

/** What a writer tells with a mark, where each of its writes is either one of a file tool or one of a command. */
export interface WriteLedger {
  /** Writes of its file tools since its mark before. May hold older ones too. */
  writes: FileWrite[];
  /** From this mark on one of its commands runs, which may write anywhere. */
  commandFollows: boolean;
}

/** Contents of a path before and after a change. Undefined where they have no hash that could be compared. */
export interface ContentChange {
  path: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

/** Whether file tools made a change: all of it, a part of it beside somebody else, or nothing. */
export type Share = 'all' | 'part' | 'none';

/** A change that the writes cannot be compared with counts as made by them, where they touched the path at all. */
export function computeShare(writes: readonly FileWrite[], { path, before, after }: ContentChange): Share {
  const own = writes.filter((write) => write.path === path);
  const isComparable = before !== undefined && after !== undefined && own.every(isHashed);
  // A folder that was moved or deleted takes along what is in it, and a file brings the folders above it.
  if (writes.some((write) => path.startsWith(`${write.path}/`))) return 'all';
  if (!isComparable)
    return own.length > 0 || writes.some((write) => write.path.startsWith(`${path}/`)) ? 'all' : 'none';
  if (own.length === 0) return 'none';
  let content = after;
  for (const write of own.toReversed()) {
    if (write.after !== content) continue;
    content = write.before;
    if (content === before) return 'all';
  }
  return 'part';
}

const isHashed = ({ before, after }: FileWrite): boolean => [before, after].every(isHash);

const isHash = (stamp: string | null): boolean => stamp === null || /^[0-9a-f]{64}$/.test(stamp);
