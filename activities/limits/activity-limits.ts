/** Limits of programs, checks, files and the store. Durations are milliseconds. */
export const activityLimits = {
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
  /** Pages of plans that are kept parsed, by the bytes they have in the store. */
  cachedPlanBytes: 8 * 1024 * 1024,
  /** A Retry-After that asks for more than this is taken as this. */
  maxRetryAfter: 10 * 60_000,
  /** Waits for the limit of a plan to be lifted: the shortest, the longest, and how many in one attempt before a person hears of it. */
  planWait: { least: 1_000, most: 24 * 60 * 60_000, times: 50 },
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
  /** The most values that aliases of one YAML anchor may stand for together; more is a bomb. */
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
  /**
   * The input of an activity of the user's own, together below the server's 2 MiB for one value: the prompt, and the results of
   * dependencies as JSON.
   */
  composedPrompt: 256 * 1024,
  composedInputs: 512 * 1024,
  /** Reading what a project knows: a task starts without its memory rather than late. */
  memoryRead: 5_000,
  /** How old the last use of a stored object must be before reading it is noted: retention counts in days. */
  storeUseNoted: 60 * 60_000,
  /** Values of variables that are kept out of everything that is shown or stored. */
  redact: {
    /** A shorter value is more likely a word than a secret. */
    shortest: 8,
    /** Bytes that are held back at most while a secret arrives in pieces; longer ones are looked for piece by piece. */
    longestPiece: 1024,
    /** A longer value is looked for as it is and line by line, not in its encoded forms: memory grows with each. */
    encoded: 16 * 1024,
  },
  /** Tools on files that an agent uses. */
  tools: {
    /** One call. */
    timeout: 10_000,
    /** Time limit of a tool that looks through many files. */
    searchTimeout: 20_000,
    /** A pattern in one file. */
    patternTimeout: 2_000,
    /** Bytes of a result that a model is shown, and of what is kept of the rest. */
    shownBytes: 8 * 1024,
    keptBytes: 1024 * 1024,
    /** Characters of one line that is shown: minified files have one line. */
    lineLength: 500,
    /** Lines of a file, unless the model says how many. */
    lines: 200,
    /** Bytes of a file that are read from its beginning. */
    readBytes: 16 * 1024 * 1024,
    /** An image that is shown: services take 5 MB as base64, and sides up to this. */
    imageBytes: 3_750_000,
    imageSide: 8_000,
    /** A larger file is not edited: the model has not seen most of it. */
    editedBytes: 2 * 1024 * 1024,
    /** A larger file is not searched; it is counted. */
    searchedBytes: 2 * 1024 * 1024,
    /** Bytes that are read of one `.gitignore`. */
    ignoreBytes: 32 * 1024,
    /** After this a search shows what it has found so far. */
    searchFor: 15_000,
    /** A larger file is known by size and time, not by its content. */
    hashedBytes: 64 * 1024 * 1024,
    /** Entries that one call looks at, and folders inside folders. */
    entries: 100_000,
    depth: 100,
    /** Entries that are listed of one folder. */
    listed: 5_000,
    /** Files that a pattern is answered with, and places in one file. */
    found: 1_000,
    foundPerFile: 20,
    /** Characters of arguments: a path, a pattern, what is said to people. */
    path: 4_096,
    pattern: 1_000,
    words: 10_000,
    /** Steps in a list of them. */
    todos: 100,
    /** How often a path is looked up again that changes meanwhile. */
    tries: 5,
  },
  /** Commands of an agent. */
  commands: {
    /** One command. */
    timeout: 2 * 60_000,
    /** Above it, until a command that was told to end is gone with all that it had started, and what it changed is looked at. */
    ending: 30_000,
    /** Characters of one: the system takes no longer argument, whatever the script. */
    length: 32_000,
    /** Arguments of one call of git, and characters of each. */
    arguments: 200,
    argument: 8_000,
    /** Repositories whose settings are read before one command runs without a sandbox. */
    repositories: 8,
    /** Running at once. */
    processes: 256,
    /** The kernel counts threads: it is slower than our watch, and stops what is faster. */
    threads: 2_048,
    /** How often the group in which it counts them is found empty or not, and how long between. */
    groupTries: 100,
    groupWait: 100,
    /** Memory of all of them together, and no more than this share of the machine's. */
    memory: 8 * 1024 * 1024 * 1024,
    memoryShare: 0.75,
    /** Addresses of one process: engines for WebAssembly reserve tens of gigabytes that they never use. */
    addressSpace: 64 * 1024 * 1024 * 1024,
    fileBytes: 1024 * 1024 * 1024,
    openFiles: 4_096,
    /** Printed in all. */
    outputBytes: 64 * 1024 * 1024,
    /** Bytes that are kept of the beginning of an output, and of its end: together the most that a result may have. */
    keptHead: 256 * 1024,
    keptTail: 768 * 1024,
    /** Bytes of the kept beginning that a model is shown; the rest of its view is the end, where errors are. */
    shownHead: 2 * 1024,
    /** Its own `/tmp`, home and shared memory are in memory. */
    temporaryBytes: 1024 * 1024 * 1024,
    homeBytes: 512 * 1024 * 1024,
    sharedBytes: 256 * 1024 * 1024,
    /** Between two looks at what it started, and how many of them until its memory is summed up too. */
    watchInterval: 100,
    looksPerSum: 5,
    /** Finding out whether there is a sandbox; a busy machine may be slow. */
    probeTimeout: 30_000,
    /** Until a command has the network of its own; a busy machine may be slow. */
    networkStart: 15_000,
    /** Largest list of the machine's routes that is read before a command gets a network. */
    routesBytes: 4 * 1024 * 1024,
    /** The clock that stamps files may be this much behind ours. */
    clockSlack: 50,
    /** Changed files that are named. */
    namedFiles: 20,
  },
  /** A stored object in which references to others are looked for: pages are much smaller, outputs may be larger. */
  referringBytes: 8 * 1024 * 1024,
  /** Calls of models. */
  discovery: {
    /** The time that a model server of this machine has to list its models before a command goes on without it. */
    patience: 300,
    /** Largest list of models, in characters. */
    answerBytes: 1024 * 1024,
  },
  models: {
    /** Body of one reply, unpacked: hundred times what a model says at once. */
    replyBytes: 16 * 1024 * 1024,
    /** Bytes that are read of an error's body: its explanation is at the start. */
    errorBytes: 64 * 1024,
    /** Characters of a provider's own words that an error carries. */
    words: 400,
    connectTimeout: 30_000,
    /** Between two pieces of a body. None before the first: a model may think for long. */
    silence: 10 * 60_000,
    /** Tokens for thinking where it is asked for; no more than a quarter of a model's context, no fewer than providers take. */
    thinkingTokens: 16_000,
    leastThinkingTokens: 1_024,
    /** A script: far above what people write. */
    scriptBytes: 2 * 1024 * 1024,
  },
  /** The loop of an agent. */
  agent: {
    /** Calls of one reply; those above are refused. */
    callsPerTurn: 32,
    /** Reading calls of one reply that run at once. */
    readsAtOnce: 4,
    /** Characters of one tool's answer that a model is given; the whole is kept by reference. */
    toolText: 8 * 1024,
    /** Bytes of all images that a conversation shows: they are sent with every request of it. */
    images: 15_000_000,
    /** Reminders about the form of a reply, in a row, before the attempt fails. */
    formatReminders: 2,
    /** Reminders to report at the end. */
    reportReminders: 1,
    /** Times that the same batch of calls may come in a row: the last of them brings a hint. */
    sameBatch: 2,
    /** Tokens that a reply must at least have room for. */
    leastOutput: 256,
    /** Refused calls that an outcome names. */
    refusals: 50,
    refusal: 200,
    /** Characters of a person's answer in a conversation. */
    answer: 8_000,
    /** A summary of old turns by a model: its time, and what must be left of the attempt's for it. */
    summaryTimeout: 2 * 60_000,
    summaryLeastTime: 60_000,
    /** Characters of what it is asked to summarise; and how often that is halved until it fits the model's window. */
    summarised: 400_000,
    summaryHalvings: 8,
    /** The least and the most of what is waited after trouble of a model that passes, without a word of the provider. */
    wait: { first: 1_000, factor: 2, most: 60_000 },
    /**
     * How long a task is waited for that is asked before a model call what is new: on a busy machine, or after a crash, the workflow is
     * loaded first; a task that did not answer the last time holds its agents no longer than a moment.
     */
    news: { patient: 10_000, hasty: 1_000 },
  },
  /** Judges. */
  judge: {
    /** Characters that one is shown, of which a file may have so many; and files. */
    prompt: 60_000,
    file: 20_000,
    files: 40,
    /** Bytes of a file that is read for that. */
    fileBytes: 1024 * 1024,
    /** Tokens of an answer, and of the window that stay free besides. */
    output: 4_000,
    spare: 500,
    /** One request: a provider that says nothing must not hold the subtask. */
    requestTimeout: 5 * 60_000,
    /** After a request that failed: without a word of the provider, and the longest that one may ask for. */
    wait: { first: 500, factor: 2, most: 60_000 },
    /** Characters of an answer that are kept. */
    answer: 32 * 1024,
  },
  /** The model that plans a goal. */
  planner: {
    /** Files of the workspace that it is shown, and characters of all their names. */
    files: 500,
    listing: 16_000,
    /** Tokens of an answer, and of the window that stay free besides. */
    output: 12_000,
    spare: 500,
    requestTimeout: 5 * 60_000,
    /** Characters of an answer that are kept. */
    answer: 128 * 1024,
    /** Those that are repeated to it with what was wrong, tried in this order. */
    repeated: [128 * 1024, 4_000, 1_000, 200],
    /** Bytes of a file that may say how the project tests itself. */
    testFile: 256 * 1024,
  },
  /** Snapshots of a workspace, and what is made of them. */
  workspace: {
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
  },
  /** Repositories below a workspace, looked for before and after each command of an agent. */
  repositories: {
    /** Folders that are looked at; shallow ones come first. */
    folders: 50_000,
    /** Milliseconds for which a search counts as done when the next command begins. */
    fresh: 60_000,
    /** Bytes of a file of settings; a longer one was not written by git. */
    settingsBytes: 256 * 1024,
    /** Hooks of one repository that are looked at one by one; nobody has more, and all of them go together. */
    hooks: 200,
    /** Repositories inside of the workspace's own whose settings a command sees read-only. */
    kept: 32,
    /** Milliseconds that git has to read a file of settings. */
    readTimeout: 5_000,
    /** Repositories that one execution of an agent tells of. */
    told: 20,
    /** Names of settings and hooks that are told of one. */
    named: 20,
  },
} as const;
