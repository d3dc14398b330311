/** Limits of the client, the command line and its reports. Durations are milliseconds. */
export const clientLimits = {
  /** Bytes of one answer of the server: a whole history, which the server ends at 50 MB, fits. gRPC's own limit is 4 MB. */
  messageBytes: 64 * 1024 * 1024,
  /** How long a worker has for a workflow task before another may have it. */
  workflowTask: {
    /** Temporal's own. */
    least: 10_000,
    /** Added up over the plan: a subtask is about ten events, and the replay of one takes half a millisecond on a free core. */
    perSubtask: 25,
    most: 60_000,
  },
  /** Before a worker is asked or told again: when a new run reads its state from the store, or when the worker passed over a message. */
  again: 200,
  /** How long the end of a task and its report wait for the snapshots, which another task may hold. */
  taskChanges: 5_000,
  /** A question to a worker. */
  query: {
    /** A question that is lost is asked again after this time: most answers take milliseconds. */
    firstTry: 3_000,
    /** How long it may take in all where no history has to be replayed. */
    deadline: 10_000,
    /** Added for each event of the history: a busy worker was seen to replay 6,000 in 5 s. */
    replayEvent: 4,
  },
  /** Reading a log that comes in pages of 1 MB. */
  pages: {
    /** A log that a new run of the task moves while it is read is read again, so often. */
    tries: 5,
    /** No task has a log of 10 GB: a worker that never answers an empty page is broken. */
    most: 10_000,
  },
  follow: {
    /** A busy task wakes its followers at every step; reading its events more often than this helps nobody. */
    pause: 100,
    /** Between two tries while the server or the worker is away. */
    retry: 1_000,
    /** Events of a page of the history that is only a wake-up: few, as nobody reads them. */
    historyPage: 200,
    /** So often a task that has ended is asked for its last events when no worker is responding. */
    lastTries: 2,
  },
  /** A live feed of a task, which everybody in the process who follows the task shares. */
  feed: {
    /** Newest events that are kept: a reader who is further behind asks the task or its archive. */
    events: 1_000,
    /** Time that a feed is kept after its last reader: long enough for a page that is loaded again. */
    linger: 30_000,
    /** Tasks whose feeds one client shares. */
    most: 200,
  },
  /** The board of all tasks, while somebody looks at it. */
  board: {
    /** Between two lists of the server. */
    list: 1_000,
    /** Tasks of the board: all open ones, up to this many, and the newest of those that ended. */
    tasks: 1_000,
    ended: 50,
    /** Open tasks that do not wait: how many are looked at after a list, the first time more, and how long until one is again. */
    looks: 5,
    firstLooks: 20,
    lookAgain: 5_000,
    /** How long the first reader waits for answers of tasks. */
    firstLook: 3_000,
  },
  /** Server-sent events by HTTP. */
  streams: {
    /** Streams that one name may have open, and all together. */
    ofName: 20,
    inAll: 500,
    /** How long a browser waits before it connects again. */
    retry: 2_000,
    /** Between two comments that keep a quiet connection open: proxies close one after half a minute at the earliest. */
    ping: 15_000,
    /** Between two looks at the token of a reader, which may be revoked meanwhile. */
    recheck: 5_000,
    /** A reader that takes nothing for this long is cut off. */
    stuck: 60_000,
    /** How long a stream waits for the first status before it tells what it has. */
    firstStatus: 3_000,
    /** How long the first look at a task serves others who open a stream of it. */
    sharedLook: 1_000,
  },
  /** Between its last event and its end on the server there is a moment, also on a slow machine. */
  closing: { most: 10_000, poll: 200 },
  /** Names `-r2`, `-r3` and so on that are tried for a retry. */
  retryNames: 1_000,
  /** Tasks before a retry whose changes count as the same course of work. */
  lineage: 100,
  /** Tasks that are asked at once what they wait for. */
  inboxParallel: 10,
  /** A page of the list of tasks. */
  list: {
    /** Rows of one question to the server. */
    most: 1_000,
    /** Pages that are looked through for a row that the server cannot filter. */
    pages: 20,
    /** How long open tasks have to tell their progress. */
    progress: 2_000,
    /** Ended tasks of a project whose questions are counted. */
    calibration: 20,
  },
  /** One short question to the server that nobody waits for longer. */
  serverCall: 10_000,
  /** Limits of what the command line shows. */
  cli: {
    /** Files that a question names. */
    leftFiles: 5,
    /** Between two looks at a task's status: a busy task would otherwise answer nothing but its watchers. */
    statusRefresh: 250,
    /** Between two looks at what running attempts print. */
    activityPoll: 1_000,
    /** Work that no worker has taken for this long waits for one: a worker that is there takes it within milliseconds. */
    workerWait: 3_000,
    /** Between two looks at the file that a running attempt writes to. */
    logPoll: 300,
    /** Depth of the plan beyond which the tree is not indented further. */
    treeDepth: 6,
    /** Sentences about what happened last below the tree. */
    recentEvents: 3,
    /** Open questions named below the tree. */
    openQuestions: 3,
    /** Columns of the goal that are shown however narrow the terminal is. */
    leastGoal: 10,
    /** Rows of the plan that are shown however low the terminal is. */
    treeRows: 3,
    /** Rows of the plan that are left beside an open question. */
    rowsBesideQuestion: 4,
    /** Rows from which on a plan that does not fit leaves some to what happened last. */
    roomForRecent: 12,
    /** How long the outcome of a question is shown. */
    notice: 15_000,
    /** A question that comes up by itself takes no key for this long: it was meant for what was there before. */
    keyGuard: 400,
    /** Characters of somebody's text in a row. */
    rowText: 300,
    /** Lines of each part of the card at a task's end: with the rest it fits into a terminal of 24 lines. */
    card: { summary: 2, work: 5, checks: 3, files: 3 },
    /** Width and height that are assumed when the terminal does not tell. */
    width: 80,
    height: 24,
  },
  /** The memory of a project. */
  memory: {
    /** One question or change: a worker that is there answers in milliseconds. */
    deadline: 10_000,
    /** A file to import: what a whole memory has as indented JSON, several times over. */
    fileBytes: 4 * 1024 * 1024,
  },
  /** A report for people; `--json` holds everything. */
  report: {
    /** Rows of one table. */
    tableRows: 500,
    /** Subtasks in the timeline: what fits on one printed page. */
    timelineRows: 60,
    /** Characters of the goal in the heading; the whole goal follows it. */
    heading: 160,
    /** Characters of what a person said with an answer. */
    said: 200,
    /** Names in one cell before the rest is a number. */
    names: 5,
  },
} as const;
