import type { BudgetKey } from './budget.ts';
import type { SubtaskStatus } from './status-names.ts';

/** Tokens of one model call, as its provider counts them; `cached` of `input` were cheaper, `reasoning` are a part of `output`. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
}

/** What one model did in an attempt. */
export interface ModelUse {
  /** Its name in `heddle.toml`. */
  model: string;
  calls: number;
  tokens: number;
  costUsd: number;
}

/** What an attempt may still spend, by the keys that have a limit. One without a key here has none. */
export type Grant = Partial<Record<GrantKey, number>>;

export type GrantKey = Extract<BudgetKey, 'modelCalls' | 'toolCalls' | 'mutations' | 'tokens' | 'costUsd'>;

/** What an attempt that stands still asks of a person. Absent: nothing, a clock or a grant wakes it. */
export type Ask =
  /** `ask_user`: `options` are texts of the model's, at most five. */
  | { kind: 'question'; call: string; question: string; options: string[] }
  /** Nobody knows whether this call took effect. */
  | { kind: 'unknown-effect'; call: string; tool: string; action: string; evidence: string };

/** What wakes it: the answer in the words of the conversation. `call` is the tool call that asked, `<turn>.<index>`. */
export type Resume =
  | { kind: 'answered'; call: string; text: string }
  | { kind: 'declined'; call: string; text: string }
  | { kind: 'settled'; call: string; outcome: 'happened' | 'did-not-happen' };

/** Where the task stands, for an agent's every call: bounded, whatever the size of the plan. */
export interface TaskBrief {
  /** How many subtasks are in which state. */
  counts: Partial<Record<SubtaskStatus, number>>;
  /** The subtask itself, its dependencies and dependents, and the first of the rest. */
  subtasks: { id: string; status: SubtaskStatus }[];
}

/** What an agent's execution is told besides what every executor is told. */
export interface AgentInput {
  grant: Grant;
  /** The same answer may come again, after an execution that was lost: one whose call has its answer is no news. */
  resume: Resume | null;
  /** What the task had counted of this attempt when it gave the grant: all executions together may use this and the grant. */
  spent?: Partial<Record<GrantKey, number>>;
  brief: TaskBrief;
  /** By which the model's output tokens are multiplied on this rung. */
  outputFactor: number;
}
