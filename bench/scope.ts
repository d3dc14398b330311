export interface Size {
  count: number;
  rounds: number;
}

/** How much is measured. Everything is bounded: a busy machine gets fewer rounds, not a longer bench. */
export interface Scope {
  name: 'full' | 'quick';
  /** Sizes of the plans with no-op subtasks, and how often each is run: small ones often, since a machine stalls for seconds. */
  steps: Size[];
  /** Milliseconds after which no further round of the no-op subtasks begins; the first one is always whole. */
  budget: number;
  /** Subtasks with a real program: a second opinion, so one size is enough. */
  program: Size;
  programBudget: number;
  reactions: number;
  recoveries: number;
  /** Files of the work tree that snapshots are taken of, and how often. */
  snapshotFiles: number;
  snapshotRounds: number;
  /** How often each command is run. */
  commands: number;
  /** Subtasks of the tasks whose growth is measured, smallest first. */
  sizes: number[];
  /** Turns of one conversation, and how often it is led. */
  turns: number;
  turnRounds: number;
  /** Subtasks of the task that readers follow, and how often. */
  watched: Size;
}

export const full: Scope = {
  name: 'full',
  steps: [
    { count: 10, rounds: 3 },
    { count: 100, rounds: 9 },
    { count: 500, rounds: 5 },
  ],
  budget: 11 * 60_000,
  program: { count: 100, rounds: 3 },
  programBudget: 60_000,
  reactions: 300,
  recoveries: 5,
  snapshotFiles: 20_000,
  snapshotRounds: 21,
  commands: 15,
  sizes: [200, 2_000],
  turns: 200,
  turnRounds: 11,
  watched: { count: 300, rounds: 3 },
};

export const quick: Scope = {
  name: 'quick',
  steps: [
    { count: 10, rounds: 1 },
    { count: 100, rounds: 2 },
    { count: 200, rounds: 1 },
  ],
  budget: 30_000,
  program: { count: 50, rounds: 1 },
  programBudget: 10_000,
  reactions: 10,
  recoveries: 1,
  snapshotFiles: 20_000,
  snapshotRounds: 3,
  commands: 5,
  sizes: [50, 200],
  turns: 200,
  turnRounds: 3,
  watched: { count: 60, rounds: 1 },
};

/** The aims are for plans of this size or more: below it what every task pays once is most of the cost. */
export const aimsFrom = 100;
/**
 * The promises of the project: of time and worker CPU of a step, of a step of the largest plan compared with one of `aimsFrom`, and of the p95
 * of a decision's receipt.
 */
export const aims = { ms: 1.2, workerCpu: 1.15, growth: 1.2, receipt: 1.3 } as const;
/** And of an answer after a crash, in milliseconds. */
export const recoveryAim = 3_000;
/** And of a snapshot, compared with `git status` of the same files. */
export const snapshotAim = 1.5;
/** And of what a durable turn adds, compared with one durable write of its size, and of a late turn, compared with an early one. */
export const turnAims = { write: 1.3, growth: 1.2 } as const;
/** And of a task with 200 readers: its own time, compared with none, and the lag of 95 of 100 events in milliseconds. */
export const liveAims = { ratio: 1.1, lag: 500 } as const;
/** Rounds from which on a ratio is called met or missed. */
export const enoughRounds = 3;
