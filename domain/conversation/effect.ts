/** The effect of a mutating call, planned before anything is done. It is JSON, since it is written ahead. */
export interface CallEffect {
  /** In words, for a person who is asked whether it happened. */
  action: string;
  /** Each file that the call writes or removes, with its hash before and after; null: the file does not exist. */
  files: { path: string; before: string | null; after: string | null }[];
  /** Set for a command, whose files cannot be listed before it runs. */
  command?: CommandEffect;
}

/** The state before a command began. */
export interface CommandEffect {
  /** The time of planning, by the clock of its host. */
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
  /** The commit before `head`. */
  parent: string | null;
  /** Hashes of all refs, and of the index. */
  refs: string;
  index: string;
}
