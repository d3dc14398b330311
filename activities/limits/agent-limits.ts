/** Limits of the loop of an agent. Durations are milliseconds. */
export const agentLimits = {
  /** Between two looks of people at the reply that a model is giving. */
  draftPause: 200,
  /** Bytes of a project's `AGENTS.md` that agents and planners are told. */
  projectNotes: 16_000,
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
} as const;
