/** Limits of the snapshots of a workspace, and of what is made of them. Durations are milliseconds. */
export const workspaceLimits = {
  /** One snapshot, waiting for its turn included: two of them must fit into what an activity has above its program's time limit. */
  snapshotTimeout: 20_000,
  /** The last snapshot of an attempt that is being stopped, for which the stop waits. */
  stoppingTimeout: 10_000,
  /** A snapshot beside a command of an agent that took longer is the last of its kind in the execution: they come with every command. */
  betweenCommands: 1_000,
  /** Undo, diff and pruning are asked for by a person, who can wait longer than an attempt. */
  commandTimeout: 10 * 60_000,
  /** Larger files stay outside: a copy of each state of one would fill the disk. */
  fileBytes: 50 * 1024 * 1024,
  /** Files of one workspace; more are dependencies or data that nobody has ignored. */
  files: 200_000,
  /** Files that are taken in at once: what is taken in stays when the time runs out, so that the next snapshot goes on from there. */
  chunk: 5_000,
  /** From so many new files on they are stored as one: creating a file for each takes most of the time. */
  packedTogether: 200,
  /** Bytes of files that git has no times of and that are read again at each snapshot; more are shown to git once. */
  rereadBytes: 4 * 1024 * 1024,
  /** Entries of a folder that is left out, and of all of them, whose times show whether it changed. */
  generatedEntries: 2_000,
  generatedEntriesInAll: 10_000,
  /** Folders whose times are remembered, so that only those that changed are searched for new files. */
  stampedFolders: 10_000,
  /** Folders that are searched one by one; from more on the whole workspace is. */
  scopeFolders: 50,
  /** Repositories inside repositories that are looked into. */
  nestedRepositories: 8,
  /** How often a snapshot starts again when files change while it is taken. */
  tries: 3,
  /** Between two looks at a lock that another process holds. */
  lockPoll: 20,
  /** A change of a file's mode is told by its time, which git keeps in seconds: younger files are looked at again. */
  recent: 2_000,
  /** Bytes that git may print: the names of all files, or a whole diff. */
  outputBytes: 256 * 1024 * 1024,
  /** From so many runs of git on a process has a small one start it: that costs as much as four of them save. */
  runsBeforeStarter: 8,
  /** It goes when nobody has asked it for this long. */
  starterIdle: 5 * 60_000,
  /** Time that its starter has beyond git's own. */
  starterGrace: 1_000,
  /** Names in one refusal. */
  namedFiles: 200,
} as const;
