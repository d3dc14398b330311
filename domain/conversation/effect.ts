/** The effect of a mutating call, planned before the call runs. JSON: it is written ahead. */
export interface CallEffect {
  /** A description for a person who is asked whether the effect happened. */
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
 * The changes of a git command that can be checked afterwards. `nothing`: it only reads. `head`: it commits. `marks`: refs or the index,
 * each in one step. `more`: files, another repository or another machine, which cannot be checked.
 */
export type GitChanges = 'nothing' | 'head' | 'marks' | 'more';

/** The state of a repository; null: there is no such commit. */
export interface RepositoryState {
  head: string | null;
  /** The commit before `head`. */
  parent: string | null;
  /** Hashes of all refs, and of the index. */
  refs: string;
  index: string;
}
