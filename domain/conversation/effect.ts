/** The effect of a mutating call, planned before anything is done. It is JSON, since it is written ahead. */
export interface Effect {
  /** In words, for a person who is asked whether it happened. */
  action: string;
  /** Each file that it writes or removes: its hash before and after; null: not there. */
  files: { path: string; before: string | null; after: string | null }[];
  /** Present for a command, whose files nobody knows before. */
  command?: CommandEffect;
}

/** The state before a command began. */
export interface CommandEffect {
  /** When it was planned, by the clock of its host. */
  at: number;
  git?: { changes: GitChanges; before: RepositoryState | null };
}

/**
 * The changes that a call of git makes, as far as they can be found out afterwards. `nothing`: it reads. `head`: it commits. `marks`: refs
 * or the index, each in one step. `more`: files too, another repository, or another machine, which cannot be found out by looking.
 */
export type GitChanges = 'nothing' | 'head' | 'marks' | 'more';

/** The state of a repository; null when there is no such commit. */
export interface RepositoryState {
  head: string | null;
  /** The commit before it. */
  parent: string | null;
  /** Hashes of all refs, and of what is staged. */
  refs: string;
  index: string;
}
