/**
 * Limits of a task that no config changes; `task-limits.ts` has the others. The rules and the workflow hold no other numbers. Durations are
 * milliseconds.
 */
export const limits = {
  /** Subtasks that run at once. */
  maxParallelSubtasks: 5,
  /** Attempts of one subtask before a person is asked. */
  maxAttempts: 8,
  /** Escalations that pause a task. */
  escalationPause: 5,
  /** Highest model tier. */
  highestTier: 3,
  /** Time limit of a program that runs as a subtask. */
  commandTimeout: 30 * 60_000,
  /** Limits of an agent's attempt: time, and model calls. */
  agentTimeout: 20 * 60_000,
  agentIterations: 20,
  /** Characters of the task state in an agent's first message. */
  agentState: 3_000,
  /** The factor of a time limit after each timeout. */
  timeoutGrowth: 1.5,
  /** Waits before the next attempt, because a slow or silent program may recover in a moment. */
  waitAfterTimeout: 1_500,
  waitAfterEmptyOutput: 1_200,
  /** Judges are models that review a result which passed its checks. */
  judge: {
    /** Characters of a judge's reason beside its vote. */
    says: 200,
    /** Requests to one judge: the first, and the repairs of any failure. */
    requests: 3,
    /** Runs of the judges for one result: again only where the files contradicted a claim. */
    runs: 3,
    voters: 3,
    /** Confidence from which one vote against a result is a veto, and the confidence of a judge that states none. */
    vetoAt: 0.7,
    unsaidConfidence: 0.5,
    /** How far the files are searched for a judge's claim. */
    scan: { files: 80, bytes: 2_500_000, fileBytes: 300_000, time: 8_000 },
    /** Time of one run, all requests and waits together. */
    timeout: 20 * 60_000,
    /** Issues of a judge's reply that are kept; characters of an issue, of its feedback, and of a path. */
    issues: 10,
    issue: 300,
    feedback: 1_200,
    path: 300,
  },
  /** The model that plans a goal. */
  planner: {
    /** Requests that were answered: an unreadable reply or an invalid plan uses one. */
    tries: 3,
    /** Subtasks of a plan that a model makes. */
    subtasks: 30,
    /** Time of all requests of one execution together. */
    timeout: 30 * 60_000,
    /** Problems that it is told, and characters of one. */
    problems: 20,
    problem: 400,
    /** Characters of the reason for a new plan. */
    reason: 400,
    /** Characters of the description of an ended subtask. */
    purpose: 200,
    /** The newest comments of people on earlier plans. */
    comments: 5,
    /** Tokens of a typical attempt of an agent, for the first estimate. */
    typical: { input: 60_000, output: 6_000 },
  },
  /** Evidence that is owed: targets of one item and characters of a target, and the longest wait before a try unless the config has a longer one. */
  remediation: { targets: 20, target: 200, longestWait: 30_000 },
  /** The model that looks for the cause of failures before the strongest attempt. */
  diagnosis: {
    /** Tokens of its answer. */
    output: 1_500,
    /** Requests of one diagnosis: a second one only after a crash. */
    requests: 2,
    timeout: 10 * 60_000,
    /** Characters of the task, of a cause, and of one entry of a list; entries of a list. */
    task: 2_000,
    cause: 400,
    item: 240,
    items: 5,
  },
  /** The model that explains in plain words why a person is needed. */
  phrase: {
    /** Tokens of its answer. */
    output: 300,
    requests: 2,
    /** Time of one request; time of all requests, with the wait for a worker. */
    timeout: 60_000,
    total: 5 * 60_000,
    /** Its largest share of the free budget. */
    share: 1 / 10,
    /** The newest failures of the subtask that it is told. */
    failures: 3,
  },
  /** Time to write the ledgers of evidence at the end of a task, with the wait for a worker. */
  ledgerTimeout: 5 * 60_000,
  /** Characters of the problem of a question about a failure. */
  problem: 400,
  /** Characters of a plan that a person gives instead of another, as JSON. */
  editedPlan: 256 * 1024,
  /** New plans of one task, and requests for one of them, since subtasks end while the planner works. */
  replans: 3,
  replanRuns: 3,
  /** Characters of the reason why a planner made no new plan. */
  replanFailure: 400,
  /** Time until a question with a deadline policy is answered by it, unless the plan sets another. */
  answerWithin: 10 * 60_000,
  /** Time limit of one verify command. */
  verifyCommandTimeout: 2 * 60_000,
  /** Characters at the end of an output that the rules for failures read. */
  lastWords: 4_096,
  /** Heartbeats decide how fast a crash is noticed; they are a fraction of the timeout, so that a busy machine is not taken for a dead one. */
  heartbeatTimeout: 10_000,
  /** Retry policy of a rung: absorbs crashes and temporary failures. */
  transientRetry: { initialInterval: 1_000, backoff: 2, maximumInterval: 60_000, maximumAttempts: 10 },
  /** Activity tries of our own activities: about five minutes, then the failure is reported. */
  patientTries: 10,

  /** Tries to move old pages to the store before its failure is reported: some seconds, because all is tried again later. */
  storeTries: 4,

  /** Bytes of a preview that may enter the history. */
  preview: 500,
  /** Bytes of error details kept in an attempt's record. */
  failureDetails: 1_500,
  summary: 200,
  /** Failed attempts that the next one is told of; a prompt has room for fewer. */
  toldFailures: 8,
  /** Changed files of a failed attempt that are named, and characters of a path. */
  leftFiles: 20,
  leftPath: 300,
  /** Per attempt: refused tool calls that are reported as events, models that its record names, subtasks that an agent is told of. */
  toldRefusals: 50,
  recordedModels: 20,
  /** Denials of an agent program in one attempt's record. */
  recordedDenials: 20,
  /** Tools that failed in one attempt, in its record. */
  recordedToolFailures: 10,
  briefSubtasks: 40,
  /** The newest waits in one attempt's record. */
  recordedWaits: 20,
  /** Characters of a value that a refusal quotes. */
  quoted: 60,
  /** Markdown that the Web UI carries in a URL. */
  currentDetails: 6_000,
  /** Characters of a goal, and of the part that a memo takes without a warning of the server. */
  goal: 64 * 1024,
  memoGoal: 1_000,
  /** Questions of an attempt to a person: characters of a model's question and of its answers, how many of these, the problem as text. */
  asked: {
    question: 2_000,
    options: 5,
    option: 200,
    problem: 1_000,
    /** Characters of the description of an effect with an unknown end. */
    effect: 1_000,
    /** Characters of a gated action: its arguments as JSON, which hold the longest command that a gate reads, and the reason for the question. */
    arguments: 12_000,
    why: 500,
    /** Characters of what a model says beside a gated call. */
    said: 400,
    /** Subtasks that an option names among those it runs, and among those it skips. */
    affected: 20,
    /** Standing rules of people that one execution is told. */
    allowed: 200,
  },
  /** Characters of a person's instruction. */
  instruction: 4_000,
  steering: 4_000,
  /** The newest steering texts and answers about one subtask that later prompts contain. */
  steeringTexts: 10,
  /** Steering texts of one task: each prompt may contain those for all subtasks. */
  steeringTotal: 200,
  guidanceTexts: 10,
  /** Events of a task that one run carries to the next; older ones go to the store. */
  carriedEvents: 200,
  /** Ids of updates that one run carries to the next: a repeated update comes soon after the first. */
  carriedUpdateIds: 200,
  /** A carried state above this travels through the store. A value of the history may have 2 MB, a message 4 MB. */
  carriedBytes: 1024 * 1024,
  /** Characters of one page: escaped and as UTF-8 they stay below the 2 MB of one value. */
  pageCharacters: 256 * 1024,
  /** The answer to one query. */
  answerBytes: 1024 * 1024,
  /** Inputs of activities that one workflow task starts: its completion is one message of at most 4 MB. */
  startBytes: 1024 * 1024,
  /** A continued run handles at least this many events before it drains, whatever its history started with. */
  leastEventsOfRun: 30,
  /** Milliseconds for the replay of an event: a free core takes half of that, so a loaded machine has some room. */
  replayTime: 1,
  /** Events that a run may have even if its workflow tasks are short. */
  leastReplayable: 1_000,
  /** Messages after which a run drains: the server takes 2,000 updates and 10,000 signals in one run. */
  drainAtMessages: 1_500,
  /** Time between two tries to move old pages to a store that refuses them. */
  carryRetry: 15_000,
  /** A run ends itself by a drain before the server's hard limits (51,200 events, 50 MB). */
  drainAtEvents: 40_000,
  drainAtBytes: 35 * 1024 * 1024,
  /** Arguments of a signal that may be damaged without harm: ours have one, so more are not sent in good faith. */
  signalArguments: 16,
  /** The memory of a project, and the part that a task is told. A payload may have 2 MB, so each list is bounded in bytes of any script. */
  memory: {
    /** Failures, and standing answers, that a project remembers: the most recent ones, and their bytes as JSON. */
    remembered: { items: 500, bytes: 256 * 1024 },
    /** The part that one task is told at its start, and the part that it may teach at its end: it carries both. */
    told: { items: 200, bytes: 96 * 1024 },
    /** Signatures that a person forgot: a task that runs for weeks must not bring one back. */
    forgotten: { items: 200, bytes: 64 * 1024 },
    /** Tasks whose lessons were taken: a repeated lesson comes soon after the first. */
    taught: { items: 200, bytes: 64 * 1024 },
    /** Characters of a signature, of a failure's type and of a hint. */
    signature: 400,
    type: 60,
    hint: 500,
    /** Characters of an option's id and of a person's name in an answer. */
    option: 100,
    by: 200,
    /** Temporal's own bound of an id. */
    taskId: 1_000,
    /** Occurrences of one failure; a larger number is not a count. */
    count: 1_000_000_000,
    /** Signatures that one subtask met and that its success explains. */
    met: 20,
    /** Refused messages that are shown, and characters of each. */
    refused: 3,
    refusal: 200,
    /** Failures in the current details, and characters of each one's hint. */
    shown: 15,
    shownHint: 120,
  },
  /** Lessons: sentences that a project learned. */
  lessons: {
    /** Those that a project keeps, and their bytes as JSON. */
    kept: { items: 200, bytes: 64 * 1024 },
    /** Characters of one. */
    text: 240,
    /** Origins of one: its proof. */
    origins: 3,
    /** Characters of a subtask's id, and of the reason for a retirement. */
    subtask: 200,
    why: 200,
    /** Share of common words from which two lessons are the same. */
    alike: 0.8,
    /** Attempts by which failures outnumber successes when a lesson is retired. */
    retireAt: 2,
    /** Tasks, and time, after which a lesson that never helped is retired. */
    idleTasks: 20,
    expire: 60 * 24 * 60 * 60_000,
    /** Lessons that an attempt is shown, and the factor of that for a planner, which sees the whole goal. */
    recall: 3,
    mostRecalled: 10,
    plannerFactor: 2,
    /** Lessons that one task keeps for its later subtasks and teaches at its end. */
    learned: 10,
    taught: 20,
    /** Lessons whose use one task reports. */
    used: 200,
    /** Lessons that one subtask was shown, over all its attempts. */
    recalled: 50,
    /** A model learns from so many subtasks of one task, with one request each. */
    requests: 5,
    /** Lessons of one reply, and its tokens; requests of one extraction, of which a second one is only for a crash. */
    replied: 3,
    output: 400,
    tries: 2,
    /** Time of one request; time of all requests, with the wait for a worker; time that the end of a task waits for them. */
    timeout: 60_000,
    total: 5 * 60_000,
    endWait: 20_000,
    /** Failures, files and corrections that the model is shown, characters of a correction, and known lessons beside them. */
    failures: 3,
    files: 20,
    corrections: 5,
    correction: 500,
    nearest: 3,
    /** Characters that a prompt has for lessons. */
    room: 3_000,
  },
  /** Compaction of a long conversation: see `ContextRules`. */
  context: {
    soft: 0.86,
    hard: 1.02,
    target: 0.6,
    floor: 0.5,
    gain: 0.02,
    pause: 3,
    summaries: 20,
    /** Characters of a call's arguments that are never shortened, and characters that stay of one longer argument. */
    arguments: 400,
    argument: 120,
    /** Characters that stay of a tool's result, at its beginning and its end. */
    outputHead: 400,
    outputTail: 400,
    /** Characters that stay of a reply. */
    narrative: 300,
    /** A text that exceeds its shortened form by no more than this stays whole. */
    slack: 200,
    /** Tokens of a summary, and its largest share of a request. */
    summaryTokens: 2_000,
    summaryShare: 0.2,
    /** Characters of one merged turn that the compactor is shown. */
    toldTurn: 2_000,
    /** The largest share of a model's window that its reply may have. */
    outputShare: 0.25,
    /** The share of the window that stays free in case an estimate is too low. */
    margin: 0.02,
    /** The share of a refused request that the provider's window is taken to have. */
    refusedShare: 0.8,
    /** The largest ratio of tokens to the estimate, by the provider's counts so far. */
    underestimate: 3,
  },
  /** Limits of a gate's reading; beyond them a command counts as unreadable. */
  gates: {
    /** Bytes of one command: a parser's time may grow with its square. */
    commandBytes: 8 * 1024,
    /** Size of all nested scripts together, as a multiple of one command's. */
    readings: 3,
    /** Nested brackets: for unclosed ones a parser reads the rest again and again. */
    nesting: 60,
    /** Programs that start each other. */
    depth: 12,
    /** Programs that one command starts. */
    calls: 500,
    /** Folders that one command may be in. */
    folders: 16,
    /** Paths that are looked up in the file system. */
    paths: 2_000,
    /** Characters of a signature, which may hold a whole command. */
    signature: 400,
  },
  /** Time to copy a workspace for one subtask, or to merge it back, besides the attempt's own time. */
  worktreeTimeout: 2 * 60_000,
  /** Dollars of one run of an agent program; a higher report is an error. */
  attemptUsd: 10_000,
  /** Limits of a completion contract in the history: characters of its notes, paths, and characters of a path. */
  contractNotes: 4_000,
  contractDeliverables: 200,
  contractPath: 1_024,
  /** Servers of tools. */
  servers: {
    /** Until a server answers; Python's take seconds on a busy machine. */
    start: 15_000,
    /** One call of a tool. */
    timeout: 60_000,
    /** Tools that one server may bring, and bytes of all schemas that an attempt is sent. */
    tools: 64,
    schemaBytes: 48 * 1024,
    /** Characters of a tool's description that a model is sent with every request. */
    description: 1_000,
  },
} as const;
