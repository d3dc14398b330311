/** Whose output can be read: the values of `output` of an executor. */
export const outputNames = ['claude', 'codex', 'gemini', 'opencode', 'aider'] as const;

export type OutputName = (typeof outputNames)[number];
