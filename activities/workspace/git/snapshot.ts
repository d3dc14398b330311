import type { WriterMark } from '../../../domain/workspace/attribution.ts';
import type { ProcessIdentity } from '../../programs/process-identity.ts';
import type { PathKey } from './path-key.ts';

/** A file that a snapshot does not hold. */
export interface Outside {
  path: PathKey;
  why: 'large' | 'unreadable';
  /** Tells two states of a large file apart. */
  stamp?: string;
}

/** Facts about a work tree that git does not keep. */
export interface Meta {
  /** Permissions of most files, by git's two kinds of them. */
  usual: { file: number; program: number };
  /** Those of all others. */
  modes: Record<PathKey, number>;
  outside: Outside[];
  /** Folders without a file that git keeps, the topmost of each branch. */
  folders: PathKey[];
}

/** How a workspace was at one moment. */
export interface Snapshot {
  tree: string;
  meta: Meta;
}

/** An entry of the journal with what belongs to it. */
export interface JournalMark extends WriterMark {
  meta: string | null;
  host: string;
  /** The process that wrote it: whether an open start is still somebody's. */
  process: ProcessIdentity | null;
}

/** Facts about our index between two snapshots. */
export interface IndexState {
  /** The stamp of the index file when `tree` was written from it. */
  stamp: string;
  /** The start of the machine in which it was written. */
  boot: string;
  tree: string;
  meta: string;
  /** Files so young that a change of their mode might not be seen. */
  recent: PathKey[];
  /** Folders as they were; null when there are too many, or ones whose inside is not known. */
  folders: Record<PathKey, string> | null;
}
