/** What a mutating call will do, found out before anything is done. JSON: it is written ahead. */
export interface Effect {
  /** In words, for a person who is asked whether it happened. */
  action: string;
  /** Each file that it writes or removes: its hash before and after; null: not there. */
  files: { path: string; before: string | null; after: string | null }[];
  /** Of a command, whose files nobody knows before. */
  command?: CommandEffect;
}

/** What was there before a command began. */
export interface CommandEffect {
  /** When it was planned, by the clock of its host. */
  at: number;
  git?: { changes: GitChanges; before: RepositoryState | null };
}

/**
 * What a call of git changes, as far as it can be told afterwards. `nothing`: it reads. `head`: it commits. `marks`: refs or what is
 * staged, each in one step. `more`: files too, another repository, or another machine: nobody can tell by looking.
 */
export type GitChanges = 'nothing' | 'head' | 'marks' | 'more';

/** Where a repository stands; null: there is no such commit. */
export interface RepositoryState {
  head: string | null;
  /** The commit before it. */
  parent: string | null;
  /** Hashes of all refs, and of what is staged. */
  refs: string;
  index: string;
}
