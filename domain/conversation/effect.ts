/** The effect of a mutating call, planned before anything is done. It is JSON, since it is written ahead. */
export interface CallEffect {
  /** In words, for a person who is asked whether it happened. */
  action: string;
  /** Each file that the call writes or removes, with its hash before and after; null: the file does not exist. */
  files: { path: string; before: string | null; after: string | null }[];
  /** Set for a command, whose files cannot be listed before it runs. */
  command?: CommandEffect;
  /** Set for a call of a server, which alone knows what it changed. */
  remote?: RemoteEffect;
}

/** A call of a tool of a server. */
export interface RemoteEffect {
  server: string;
  /** The idempotency key that the server is sent. */
  key: string;
  /** The server may change the workspace. */
  writes?: true;
  /** It says of itself that what it does cannot be taken back: a person is asked whether it happened. */
  destructive?: true;
  /** The arguments, where the server can tell by them whether it took effect. */
  args?: Record<string, unknown>;
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
