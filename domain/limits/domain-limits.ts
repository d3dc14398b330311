/** What bounds a task, in one place: the rules and the workflow hold no other numbers. Durations are milliseconds. */
export const limits = {
  /** Subtasks that run at once. */
  maxParallelSubtasks: 5,
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
  /** An agent's attempt: time, and model calls. */
  agentTimeout: 20 * 60_000,
  agentIterations: 20,
  /** Characters of what an agent's every call says about the state of its task. */
  agentState: 3_000,
  /** How far a time limit may grow above the first after timeouts, and by which factor each time. */
  timeoutGrowth: 1.5,
  timeoutGrowthCeiling: 30 * 60_000,
  /** Before the next attempt: what made a program slow or silent may pass in a moment. */
  waitAfterTimeout: 1_500,
  waitAfterEmptyOutput: 1_200,
  /** Confidence from which `approval: auto` proceeds, and from which it proceeds when nobody has answered in time. */
  proceedAt: 0.8,
  askAt: 0.5,
  /** Confidence below which `approval: auto` takes a result as failed. */
  failBelow: 0.2,
  /** Judges: models that look at a result which has passed its checks. */
  judge: {
    /** Requests to one judge in all: the first, and what repairs it, whatever it failed with. */
    requests: 3,
    /** How often judges are asked about one result: again only where the files contradicted what they claimed. */
    runs: 3,
    voters: 3,
    /** Confidence from which one vote against a result is a veto, and what a judge that says none is taken to have. */
    vetoAt: 0.7,
    unsaidConfidence: 0.5,
    /** How far the files are searched for what a judge claims to have seen. */
    scan: { files: 80, bytes: 2_500_000, fileBytes: 300_000, time: 8_000 },
    /** Time of one run, all requests and waits together. */
    timeout: 20 * 60_000,
    /** Of what a judge says: how many issues are kept, characters of one, of its advice, and of a path that it names. */
    issues: 10,
    issue: 300,
    feedback: 1_200,
    path: 300,
  },
  /** The model that plans a goal. */
  planner: {
    /** Requests that were answered: what cannot be read, or is no valid plan, uses one. */
    tries: 3,
    /** Subtasks of a plan that it makes. */
    subtasks: 30,
    /** Time of all requests of one execution together. */
    timeout: 30 * 60_000,
    /** Problems that it is told of, and characters of one. */
    problems: 20,
    problem: 400,
    /** Characters of why there is a new plan. */
    reason: 400,
    /** Characters of what is said of a subtask that has ended. */
    purpose: 200,
    /** What people said about earlier plans: the newest. */
    wishes: 5,
    /** What one attempt of an agent takes, as a guess before anything is known. */
    typical: { input: 60_000, output: 6_000 },
  },
  /** The model that looks for the cause of failures before the strongest attempt. */
  diagnosis: {
    /** Tokens of its answer. */
    output: 1_500,
    /** Requests of one diagnosis: a second one only where a crash took the first. */
    requests: 2,
    timeout: 10 * 60_000,
    /** Characters of what is to be done, of a cause, and of one entry of a list; entries of a list. */
    task: 2_000,
    cause: 400,
    item: 240,
    items: 5,
  },
  /** The model that says in plain words why a person is needed. */
  phrase: {
    /** Tokens of its answer. */
    output: 300,
    requests: 2,
    /** Of one request; of all of it, with the wait for a worker. */
    timeout: 60_000,
    total: 5 * 60_000,
    /** It spends at most this part of what is free. */
    share: 1 / 10,
    /** Of the subtask, the newest: it is told of no more. */
    failures: 3,
  },
  /** Characters of the problem of a question about a failure. */
  problem: 400,
  /** Characters of a plan that a person gives in place of another, as JSON. */
  editedPlan: 256 * 1024,
  /** New plans of one task, and how often a planner is asked for one of them, since subtasks end while it works. */
  replans: 3,
  replanRuns: 3,
  /** Characters of what is told of a planner that made none. */
  replanFailure: 400,
  /** How long a question that has a policy for its deadline waits, unless the plan says so. */
  answerWithin: 10 * 60_000,
  /** One verify command. */
  verifyCommandTimeout: 2 * 60_000,
  /** How long a cancelled task waits for its activities before it ends without them. */
  cancelGrace: 30_000,
  /** Characters at the end of an output that the rules for failures read. */
  lastWords: 4_096,
  /** Beats decide how fast a crash is noticed; the beat is a fraction of the timeout so that a busy machine is not taken for a dead one. */
  heartbeatTimeout: 10_000,
  /** Waits for a sick environment: on a durable timer, not counted as attempts. */
  environmentWait: { first: 5_000, factor: 3, most: 5 * 60_000, times: 5 },
  /** Retry policy of a rung: absorbs crashes and transient trouble. */
  transientRetry: { initialInterval: 1_000, backoff: 2, maximumInterval: 60_000, maximumAttempts: 10 },
  /** Tries of our own activities besides attempts: about five minutes, then it is said what does not work. */
  patientTries: 10,

  /** Tries to move old pages to the store before it is said that it does not take them: some seconds, as all is tried again later. */
  storeTries: 4,

  /** Bytes of a preview that may enter the history. */
  preview: 500,
  /** Bytes of error details kept in an attempt's record. */
  failureDetails: 1_500,
  summary: 200,
  /** Failed attempts that the next one is told of; a prompt has room for fewer. */
  toldFailures: 8,
  /** Files that a failed attempt left changed: how many are named, and characters of a path. */
  leftFiles: 20,
  leftPath: 300,
  /** Refused tool calls of one attempt that are told as events, models that its record names, subtasks that an agent is told of. */
  toldRefusals: 50,
  recordedModels: 20,
  /** What an agent program was not allowed to do, in one attempt's record. */
  recordedDenials: 20,
  /** Tools that failed in one attempt, in its record. */
  recordedToolFailures: 10,
  briefSubtasks: 40,
  /** Waits that one attempt's record names, the newest. */
  recordedWaits: 20,
  /** Characters of a word that a refusal repeats. */
  quoted: 60,
  /** Retry context in a prompt. */
  retryContext: 6_000,
  /** All dependency results in a prompt together, and one of them. */
  dependencyResults: 8_000,
  dependencyResult: 2_000,
  /** Markdown that the Web UI carries in a URL. */
  currentDetails: 6_000,
  /** A goal, and as much of it as a memo takes without a warning of the server. */
  goal: 64 * 1024,
  memoGoal: 1_000,
  /** What an attempt asks a person in its work: characters of a model's question and of its answers, how many of these, the problem in words. */
  asked: {
    question: 2_000,
    options: 5,
    option: 200,
    problem: 1_000,
    /** Of an effect that nobody knows the end of: what it was to do, what can be seen. */
    effect: 1_000,
    /** Of a gated action: its arguments as JSON, which hold the longest command that a gate reads, and why it is asked about. */
    arguments: 12_000,
    why: 500,
    /** Rules of people that one execution is told. */
    allowed: 200,
  },
  /** A person's words. */
  instruction: 4_000,
  steering: 4_000,
  /** Steering texts, and answers about one subtask, kept for later prompts: the newest. */
  steeringTexts: 10,
  /** Steering texts of one task in all: each prompt may carry those for everybody. */
  steeringTotal: 200,
  guidanceTexts: 10,
  /** Events of a task that one run carries to the next; older ones go to the store. */
  carriedEvents: 200,
  /** Ids of updates that one run carries to the next: one that is sent again comes soon after the first. */
  carriedUpdateIds: 200,
  /** A carried state above this travels through the store. A value of the history may have 2 MB, a message 4 MB. */
  carriedBytes: 1024 * 1024,
  /** Characters of one page: escaped and as UTF-8 they stay below the 2 MB of one value. */
  pageCharacters: 256 * 1024,
  /** The answer to one query. */
  answerBytes: 1024 * 1024,
  /** Inputs of activities that one workflow task starts: its completion is one message of at most 4 MB. */
  startBytes: 1024 * 1024,
  /** A run that was just continued does its part first, whatever its history started with. */
  leastEventsOfRun: 30,
  /** Milliseconds that the replay of an event may take: on a free core it takes a half of that, so a loaded machine has some room. */
  replayTime: 1,
  /** Events that a run may have however short its workflow tasks are. */
  leastReplayable: 1_000,
  /** Messages after which a run drains: the server takes 2,000 updates and 10,000 signals in one run. */
  drainAtMessages: 1_500,
  /** Between two tries to move old pages to a store that does not take them. */
  carryRetry: 15_000,
  /** A run ends itself by a drain before the server's hard limits (51,200 events, 50 MB). */
  drainAtEvents: 40_000,
  drainAtBytes: 35 * 1024 * 1024,
  /** Arguments of a signal that may be broken without harm: ours have one, and more are sent by nobody in good faith. */
  signalArguments: 16,
  /** What a project remembers and a task is told. A payload may have 2 MB: each list is bounded in bytes, since text of any script may come. */
  memory: {
    /** Failures, and standing answers, that a project remembers: the most recent ones, and their bytes as JSON. */
    remembered: { items: 500, bytes: 256 * 1024 },
    /** The same for what one task is told at its start, and for what it may teach at its end: it carries both. */
    told: { items: 200, bytes: 96 * 1024 },
    /** Signatures that a person forgot: a task that runs for weeks must not bring one back. */
    forgotten: { items: 200, bytes: 64 * 1024 },
    /** Tasks whose lessons were taken: a lesson that is sent again comes soon after the first. */
    taught: { items: 200, bytes: 64 * 1024 },
    /** Characters of a signature's name, of a failure's type and of what helped against it. */
    signature: 400,
    type: 60,
    hint: 500,
    /** Characters of an option's id and of a person's name in an answer. */
    option: 100,
    by: 200,
    /** Temporal's own bound of an id. */
    taskId: 1_000,
    /** Times that one failure was seen; a larger number is no count. */
    count: 1_000_000_000,
    /** Signatures that one subtask met and that its success explains. */
    met: 20,
    /** Messages that were refused: how many are shown, and how much of each. */
    refused: 3,
    refusal: 200,
    /** Failures in the current details, and characters of each one's hint. */
    shown: 15,
    shownHint: 120,
  },
  /** How a long conversation is kept inside its model's window: see `ContextRules`. */
  context: {
    soft: 0.86,
    hard: 1.02,
    target: 0.6,
    floor: 0.5,
    gain: 0.02,
    pause: 3,
    summaries: 20,
    /** Characters of a call's arguments that are never shortened, and of one argument that stay of longer ones. */
    arguments: 400,
    argument: 120,
    /** Of a tool's answer that stay, of its beginning and its end; one that is hardly longer stays whole. */
    outputHead: 400,
    outputTail: 400,
    /** Of what the model said that stay. */
    narrative: 300,
    /** A text that is longer than what would stay of it by no more than this stays whole. */
    slack: 200,
    /** Tokens of a summary, and no more than this share of what a request may have. */
    summaryTokens: 2_000,
    summaryShare: 0.2,
    /** Characters of what one turn of the merged part is told to whoever summarises it. */
    toldTurn: 2_000,
    /** Tokens of a model's window that belong to its reply, at most this share. */
    outputShare: 0.25,
    /** Of the window, what stays free in case that an estimate is too low. */
    margin: 0.02,
    /** What is believed of the window of a provider that refused a request as too large: this share of it. */
    refusedShare: 0.8,
    /** How many times its estimate a text may have in tokens, by what the provider counted so far. */
    underestimate: 3,
  },
  /** What a gate reads before it says that nobody can. */
  gates: {
    /** Bytes of one command: a parser may take a time that grows with the square of it. */
    commandBytes: 8 * 1024,
    /** All texts inside of texts together, in commands of that size. */
    readings: 3,
    /** Brackets inside of brackets: where they are never closed, each costs the parser another look at the rest. */
    nesting: 60,
    /** Programs inside of programs. */
    depth: 12,
    /** Programs that one command starts. */
    calls: 500,
    /** Folders that one command may be in. */
    folders: 16,
    /** Paths whose place in the file system is looked up. */
    paths: 2_000,
    /** Characters of a signature, which may hold a whole command. */
    signature: 400,
  },
  /** Making a copy of a workspace for one subtask, or merging it back: beside the time that the attempt itself has. */
  worktreeTimeout: 2 * 60_000,
  /** What of a completion contract may enter the history: its notes, how many paths, and the longest of them (longer is nonsense). */
  /** Dollars: no run of an agent program costs more, whatever it says. */
  attemptUsd: 10_000,
  contractNotes: 4_000,
  contractDeliverables: 200,
  contractPath: 1_024,
} as const;
