/** Limits of the commands of an agent. Durations are milliseconds. */
export const commandLimits = {
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
} as const;
