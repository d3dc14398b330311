/** Whose output can be read: the values of `output` of an executor. */
export const outputNames = ['claude', 'codex', 'gemini', 'opencode', 'aider', 'pi'] as const;

export type OutputName = (typeof outputNames)[number];

/** Whether the output tells what a run cost; tokens it tells in each. */
export const tellsCost: Readonly<Record<OutputName, boolean>> = {
  claude: true,
  codex: false,
  gemini: false,
  opencode: true,
  aider: true,
  pi: true,
};
