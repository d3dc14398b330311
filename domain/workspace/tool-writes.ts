/** A write of a file tool: the hash of the content before and after; null: the file did not exist. */
export interface FileWrite {
  path: string;
  before: string | null;
  after: string | null;
}

/** A writer's report at a mark. Each of its writes is either one of a file tool or one of a command. */
export interface WriteLedger {
  /** Writes of its file tools since its previous mark. May hold older ones too. */
  writes: FileWrite[];
  /** One of its commands runs after this mark, which may write anywhere. */
  commandFollows: boolean;
}

/** Contents of a path before and after a change. Undefined where they have no comparable hash. */
export interface ContentChange {
  path: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

/** The part of a change that file tools made: all of it, some of it, or nothing. */
export type Share = 'all' | 'part' | 'none';

/** A change that cannot be compared with the writes counts as made by them, if they touched the path. */
export function computeShare(writes: readonly FileWrite[], { path, before, after }: ContentChange): Share {
  const own = writes.filter((write) => write.path === path);
  const isComparable = before !== undefined && after !== undefined && own.every(isHashed);
  // Moving or deleting a folder changes everything in it, and writing a file creates the folders above it.
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
