/** What bounds the command line and its reports. Durations are milliseconds. */
export const clientLimits = {
  /** One short question to the server that nobody waits for longer. */
  serverCall: 10_000,
  /** What the command line shows. */
  cli: {
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
    /** Rows of the plan that are shown however low the terminal is. */
    treeRows: 3,
    /** Characters of somebody's text in a row. */
    rowText: 300,
    /** Width and height that are assumed when the terminal does not tell. */
    width: 80,
    height: 24,
  },
  /** A report for people; `--json` holds everything. */
  report: {
    /** Rows of one table. */
    tableRows: 500,
    /** Subtasks in the timeline: what fits on one printed page. */
    timelineRows: 60,
    /** Characters of the goal in the heading; the whole stands below it. */
    heading: 160,
    /** Characters of what a person said with an answer. */
    said: 200,
    /** Names in one cell before the rest is a number. */
    names: 5,
  },
} as const;
