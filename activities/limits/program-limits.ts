/** Limits of the programs that a subtask runs, and of what they print. Durations are milliseconds. */
export const programLimits = {
  /** Between SIGTERM and SIGKILL of a process group. */
  killGrace: 3_000,
  /** Output of one program that is kept; the rest is read and dropped, and said to be. */
  maxOutputBytes: 256 * 1024 * 1024,
  /** After a program has exited, how long something it left behind may hold its output open before the group is killed. */
  pipeDrain: 2_000,
  /** After SIGKILL, how long to wait for a process that hangs in the kernel before going on without it. */
  killWait: 5_000,
  /** Bytes of output waiting for the disk before the program is made to wait too. */
  outputBuffer: 1024 * 1024,
  /** Bytes of stdout and of stderr that an execution carries into the history: enough for the classifier, the rest is in the store. */
  outputTail: 4_096,
  /** Deliverables up to this size are compared by content, larger ones by size and time. */
  stampBytes: 1024 * 1024 * 1024,
  /** Entries of a folder that is a deliverable that are looked at to tell whether it changed. */
  stampEntries: 10_000,
  /** Bounds of the search for changes by a program that printed nothing: entries of the workspace, and the time for it. */
  changeSearch: { entries: 50_000, time: 10_000 },
  heartbeatInterval: 1_000,
  /** Above the delay of the next try, how long a program runs on for a try that Temporal gave up while we stood still (a closed lid). */
  joinMargin: 10_000,
  /** Between two looks at a run that another process of this host owns. */
  joinPoll: 250,
  /** Above the attempt's time limit, how long such a run is waited for before its program counts as left behind. */
  joinOverdue: 60_000,
  /** How old the sign of somebody who waits may be. */
  joinSign: 5_000,
  /** A Retry-After that asks for more than this is taken as this. */
  maxRetryAfter: 10 * 60_000,
  /** Waits for the limit of a plan to be lifted: the shortest, the longest, and how many in one attempt before a person hears of it. */
  planWait: { least: 1_000, most: 24 * 60 * 60_000, times: 50 },
  /**
   * The input of an activity of the user's own, together below the server's 2 MiB for one value: the prompt, and the results of
   * dependencies as JSON.
   */
  composedPrompt: 256 * 1024,
  composedInputs: 512 * 1024,
  /** How long a task waits for another one that takes its lease of a workspace in the same instant. */
  leaseWait: 5_000,
} as const;
