/** Programs whose output can be read: the values of `output` of an executor. */
export const outputNames = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'pi'] as const;

export type OutputName = (typeof outputNames)[number];

/** Programs whose output states the cost of a run; all of them state tokens. */
export const reportsCost: Readonly<Record<OutputName, boolean>> = {
  claude: true,
  codex: false,
  gemini: false,
  opencode: true,
  aider: true,
  pi: true,
};
