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
  /** Generated folders that the snapshot leaves out. */
  leftOut: Record<PathKey, LeftOut>;
  /** Generated folders that are taken in, whether or not they are there. Once taken in, a folder always is. */
  kept: PathKey[];
  /** Folders that a merge left in the copy of a subtask, since the workspace has others of these names. */
  unmerged?: PathKey[];
}

/** A generated folder without its files. */
export interface LeftOut {
  /** Tells two states of it apart, as far as its first entries show; null for a cache, which nobody compares. */
  stamp: string | null;
  /** The user's own rules ignore it too. */
  ignored: boolean;
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
  /** Generated folders beside the files of the workspace, left out or taken in. */
  generated: PathKey[];
  /** The states of the user's repositories that said which of them are tracked. */
  repositories: string;
}
