import type { BudgetKey } from './basic/budget.ts';
import type { Danger } from './basic/gate.ts';
import type { ModelRole } from './llm.ts';
import type { SubtaskStatus } from './subtask.ts';

/** Tokens of one model call, as its provider counts them; `cached` of `input` were cheaper, `reasoning` are a part of `output`. */
export interface Usage {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
}

/** The use of one model in an attempt. */
export interface ModelUse {
  /** Its name in `heddle.toml`. */
  model: string;
  /** The role that it was asked in. */
  role: ModelRole;
  calls: number;
  tokens: number;
  costUsd: number;
}

/** The part of the budget that an attempt may still spend, by the keys that have a limit. A key that is absent has none. */
export type Grant = Partial<Record<GrantKey, number>>;

export type GrantKey = Extract<BudgetKey, 'modelCalls' | 'toolCalls' | 'mutations' | 'tokens' | 'costUsd'>;

/** The question of a suspended attempt to a person. Absent: a clock or a grant resumes it. */
export type Ask =
  /** `ask_user`: `options` are texts of the model's, at most five. */
  | { kind: 'question'; call: string; question: string; options: string[] }
  /** Nobody knows whether this call took effect. */
  | { kind: 'unknown-effect'; call: string; tool: string; action: string; evidence: string }
  | GateAsk;

/** The action that a gate asks about, exactly as it would be done. */
export interface GatedAction {
  /** `command` for the program of a `command` executor. */
  tool: string;
  /** The arguments as JSON, without secrets, bounded. */
  arguments: unknown;
  /** One plain sentence. */
  why: string;
  /** Hash of the whole action: an answer holds for this one and no other. */
  hash: string;
  danger: Danger;
  /** The arguments were too long to be shown whole. */
  cut?: true;
  /** The text of the model beside its call, without secrets, bounded. */
  said?: string;
  /** Commands of its attempt run in a sandbox. */
  sandboxed?: true;
}

/** Something dangerous is about to be done: a tool call, or with `call: null` the program of a `command` executor. */
export interface GateAsk extends GatedAction {
  kind: 'gate';
  call: string | null;
  /** Signature of an answer for good; null: it is asked each time. */
  signature: string | null;
}

/** A person's answer about a gated call. It holds for the action with this hash, once. */
export type Decided = { kind: 'decided'; call: string; hash: string; by?: string } & (
  | { option: 'approve' }
  /** The new arguments. */
  | { option: 'edit'; value: unknown }
  | { option: 'reject'; reason: string }
);

/** The reply that resumes it: the answer in the words of the conversation. `call` is the tool call that asked, `<turn>.<index>`. */
export type PersonReply =
  | { kind: 'answered'; call: string; text: string }
  | { kind: 'declined'; call: string; text: string }
  | { kind: 'settled'; call: string; outcome: 'happened' | 'did-not-happen' }
  | Decided;

/** A person's permission for the program of a subtask: to run as the action with this hash, or with other arguments instead. */
export type ProgramPermit = { hash: string } | { run: string[] };

/** The progress of the task, for an agent's every call: bounded, whatever the size of the plan. */
export interface TaskBrief {
  /** Number of subtasks in each state. */
  counts: Partial<Record<SubtaskStatus, number>>;
  /** The subtask itself, its dependencies and dependents, and the first of the rest. */
  subtasks: { id: string; status: SubtaskStatus }[];
}

/** An instruction that a person gave without being asked. Its number in the task counts from 1 and never changes. */
export interface SteeringNote {
  id: number;
  text: string;
}

/** News of the task for a running agent, before each model call. */
export interface TaskNews {
  /** It stops here, and goes on when the task does. */
  paused: boolean;
  /** Instructions for it that it has not heard of yet, in their order. */
  steering: SteeringNote[];
}

/** The query that brings it, of the workflow `task`, and what it is asked with. */
export const newsQuery = 'steering';

export interface NewsQuestion {
  subtask: string;
  /** The number of the last instruction that is known. */
  since: number;
}

/** The part of an execution's input that only agents get. */
export interface AgentInput {
  grant: Grant;
  /** The same answer may come again, after an execution that was lost: a reply whose call has its answer is no news. */
  resume: PersonReply | null;
  /** Use of this attempt that the task had counted when it gave the grant: all executions together may use this and the grant. */
  spent?: Partial<Record<GrantKey, number>>;
  brief: TaskBrief;
  /** The number of the newest instruction when it was told: the prompt has those up to it. Absent: there was none. */
  steered?: number;
  /** Factor of the model's output tokens on this rung. */
  outputFactor: number;
  /** Signatures of gates that people allowed for good, in this task or an earlier one: bounded. */
  allowed?: string[];
}
