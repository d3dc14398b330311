/** Limits for the files that people write: plans and settings. Durations are milliseconds. */
export const planLimits = {
  /** Subtasks in one plan: 500 fit into one workflow run. */
  maxSubtasks: 2_000,
  /** Characters of a role's persona, which enters every prompt: a page. */
  persona: 4_000,
  /** A config file: far above what people write, and read before every command. */
  maxConfigBytes: 256 * 1024,
  /** A plan file: comments and indents included, so more than is sent. */
  maxPlanBytes: 2 * 1024 * 1024,
  /** A plan as JSON, as it is sent (aliases of YAML are written out in it): the server takes 2 MiB for one value. */
  sentPlanBytes: 1_500_000,
  /** The same with the finished work that `heddle retry` takes over. */
  sentInputBytes: 1_900_000,
  /** The result of `prepareTask` as JSON: the rest of the server's 2 MiB is room for its envelope. */
  preparedBytes: 1_500_000,
  /** A goal goes into every prompt and every page of the plan. */
  goalBytes: 64 * 1024,
  /** The names of all variables of a plan as JSON: every page repeats them, and each value is searched in all output. */
  variableBytes: 64 * 1024,
  /** One page of definitions in the store, unless a single subtask is larger: each attempt reads one. */
  planPageBytes: 256 * 1024,
  /** All definitions together, written out: what one prepared plan may take of the disk. */
  definitionBytes: 32 * 1024 * 1024,
  /** Definitions up to this total size are kept in the history, where people can look at them. */
  shownDefinitionBytes: 128 * 1024,
  /** Lexical tokens of a plan file: 2,000 complete subtasks have 500,000, and the parser takes seconds for each million. */
  tokens: 1_000_000,
  /** Brackets inside brackets; a plan needs six levels, a parser's stack holds some hundred. */
  depth: 64,
  /** Problems that one error lists: more than a person corrects at once, and few enough for a failure's details. */
  problems: 1_000,
  /** Problems that suggest the nearest word: the search is slow, and the first problems show the mistake. */
  suggestions: 200,
  /** Subtasks of a cycle that are named. */
  cycleNames: 20,
  /** Characters of a key or value that an error repeats. */
  quoted: 60,
  subtaskId: 64,
  /** A process file: its size in bytes, and what it may hold. A value of an input reaches programs by their environment. */
  process: {
    bytes: 256 * 1024,
    name: 40,
    inputName: 30,
    description: 200,
    inputs: 20,
    valueBytes: 4 * 1024,
    phases: 30,
  },
  /** Names of projects, hosts, roles, activities and queues: they enter ids, which Temporal bounds at 1,000 bytes. */
  name: 200,
  parallelSubtasks: 500,
  attempts: 100,
  escalationPause: 1_000,
  rungs: 20,
  /** Characters that a config may set for a part of a prompt, because a program's argument list is limited. */
  promptRoom: 100_000,
  /** Growth of a time limit; more is a mistake in the number. */
  timeoutFactor: 10,
  /** Model calls of one attempt of an agent. */
  iterations: 1_000,
  /** Share of a request's tokens from which on old turns are merged: above it nothing would fit. */
  contextHard: 1.5,
  /** Growth of a model's output tokens on a rung. */
  outputFactor: 10,
  /** Characters of a provider's address. */
  address: 2_000,
  /** Tokens of a model's window: our own prompt needs the least, and more than the most is a mistake in the number. */
  leastContext: 1_000,
  modelTokens: 100_000_000,
  /** USD per million tokens; more is a mistake in the unit. */
  price: 100_000,
  /** All models that a plan's agents may use, as JSON: every page repeats them. */
  modelBytes: 64 * 1024,
  /** Characters of one rule of `[gates]`, and rules of one list in one source. */
  gateRule: 1_000,
  gateRules: 500,
  /** Sandbox, rules and readable folders of all sources together, as JSON: every page repeats them too. */
  guardBytes: 64 * 1024,
  /** A section of a prompt: a page of text. All sections of all sources together, as JSON: every page repeats them too. */
  promptSection: 4_000,
  promptBytes: 64 * 1024,
  /** Characters of a plan's advice for the next attempt after a failure: as many as a prompt shows. */
  emphasis: 400,
  /** A year: longer waits are mistakes in the unit. */
  duration: 366 * 24 * 60 * 60_000,
  /** A program's time limit is a timer of Node, which ends at 24.8 days; timeouts may raise it. */
  timeout: 20 * 24 * 60 * 60_000,
  /** Requests to the model that plans a goal. */
  planTries: 10,
  /** Judges that vote on one result. */
  voters: 9,
  /** Records that a target of the evidence may need, and targets of one list. */
  evidenceEach: 100,
  evidenceTargets: 200,
  /** How far files may be searched for a judge's claim, because the subtask waits meanwhile. */
  scanFiles: 10_000,
  scanBytes: 256 * 1024 * 1024,
  scanTime: 10 * 60_000,
  /** Confidence at which `approval: threshold` proceeds when the plan does not say. */
  approvalAt: 0.8,
} as const;
