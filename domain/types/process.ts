import type { PromptChanges } from './basic/prompt-sections.ts';
import type { ModelRole } from './llm.ts';
import type { RecoveryOverrides, Tier } from './subtask.ts';

/** `strict`: the phases are the plan. `guided`: a planner fills them. `suggestive`: a planner is shown them. */
export type ProcessMode = 'strict' | 'guided' | 'suggestive';

/** The place of a process. `given`: its starter sent it. */
export type ProcessSource = 'built-in' | 'user' | 'paths' | 'workspace' | 'given';

/** The process of a task as people are told. */
export interface ProcessView {
  name: string;
  /** Hash of its content, the same for YAML and JSON. */
  sha256: string;
  from: ProcessSource;
  mode: ProcessMode;
}

/** A phase with the values of the inputs. */
export interface FilledPhase {
  id: string;
  optional: boolean;
  /** A rule is for a judge to read, so its result is judged. */
  judged: boolean;
  /** A subtask as a plan file has it, with the rules of the process that hold for the phase. */
  subtask: Record<string, unknown>;
}

/** The parts that rules add to a subtask. */
export interface RuleParts {
  rules: Record<string, unknown>[];
  criteria: string[];
  advice: string[];
}

export interface ProcessTools {
  required: string[];
  /** All where it is absent. */
  allowed?: string[];
  excluded: string[];
}

export interface ProcessRole {
  persona?: string;
  executor?: string;
  tier?: Tier;
  recovery?: RecoveryOverrides;
}

/** A process with the values of its inputs. A task freezes it: whatever becomes of the file, this is what its plans are made of. */
export interface FilledProcess {
  name: string;
  mode: ProcessMode;
  goal?: string;
  /** Keys of a plan that the process sets. */
  head: Record<string, unknown>;
  phases: FilledPhase[];
  /** Parts that its rules for all phases add to any subtask. */
  everywhere: RuleParts;
  tools: ProcessTools;
  roles: Record<string, ProcessRole>;
  models: Partial<Record<ModelRole, string>>;
  prompts: PromptChanges;
  /** The values of its inputs as variables of commands. */
  variables: Record<string, string>;
}
