import { needsOf } from '../executors/kinds.ts';
import { defaultSandbox, type GateRules, type SandboxSetting } from '../model/gate.ts';
import type { Subtask } from '../model/subtask.ts';
import type { Config } from '../schema/config-schema.ts';

/** What limits the tools and commands of a task: where they run, what they may read, what is asked about first. */
export interface Guards {
  sandbox: SandboxSetting;
  gates: GateRules;
  /** Folders outside of the workspace: absolute. */
  readRoots: string[];
}

/** What holds when nobody says anything, and for tasks that were prepared before there were any. */
export const defaultGuards: Guards = {
  sandbox: defaultSandbox,
  gates: { allow: [], ask: [], deny: [] },
  readRoots: [],
};

/** Those that a plan freezes: all where a subtask is an agent's, else the rules alone, which hold for programs too. */
export function guardsFor(subtasks: readonly Subtask[], config: Pick<Config, 'sandbox' | 'gates'>): Partial<Guards> {
  const { read, ...sandbox } = config.sandbox ?? {};
  const gates: GateRules = { ...defaultGuards.gates, ...config.gates };
  if (subtasks.some(({ executor }) => needsOf(executor).models.length > 0))
    return { sandbox: { ...defaultSandbox, ...sandbox }, gates, readRoots: read ?? defaultGuards.readRoots };
  return Object.values(gates).some((rules: readonly string[]) => rules.length > 0) ? { gates } : {};
}
