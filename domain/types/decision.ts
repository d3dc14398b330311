import type { Ask, GateAsk, GatedAction } from './agent.ts';
import type { BudgetKey } from './basic/budget.ts';
import type { FileState } from './basic/ref.ts';

/** Everything that a question can offer. What each does is one row of a table in `decisions/`. */
export type OptionId =
  | 'retry'
  | 'fix'
  | 'simpler'
  | 'provide-credentials'
  | 'skip'
  | 'skip-branch'
  | 'replan'
  | 'abort'
  | 'approve'
  | 'edit'
  | 'reject'
  | 'raise'
  | 'finish'
  | 'stop'
  | 'answer'
  | 'decline'
  | ChoiceId
  | 'happened'
  | 'did-not-happen';

/** A model's suggested answer to its own question. */
export type ChoiceId = 'option-1' | 'option-2' | 'option-3' | 'option-4' | 'option-5';

/**
 * One choice of a {@link Decision}: what it does, and whether it can be undone.
 *
 * @example
 * ```ts
 * for (const { id, label, consequence } of decision.options) console.log(id, label, consequence);
 * ```
 */
export interface DecisionOption {
  id: OptionId;
  label: string;
  consequence: string;
  reversible: boolean;
  /** An answer with it must have this; absent: its name is enough. */
  needs?: OptionNeeds;
  /** Its price, where it has one that can be guessed. */
  cost?: OptionCost;
  /** The subtasks that it runs and that it skips; absent where it touches none, or the task as a whole. */
  affects?: OptionScope;
}

/** The form of a value: a JSON object, the words of a program, or the command of a shell call. */
export type ValueForm = 'object' | 'words' | 'command';

/** An option needs words about this, or a value of one form. */
export type OptionNeeds = { words: string } | { value: OptionValue };

/** `say` tells a person what to write. */
export interface OptionValue {
  form: ValueForm;
  say: string;
  example: string;
}

/** `attempts` is the most that it may take; cost and time are the mean of one attempt so far, null where that is unknown. */
export interface OptionCost {
  attempts: number;
  usd: number | null;
  ms: number | null;
}

/** The first subtasks that an option touches; `more` counts those that are not listed. */
export interface OptionScope {
  runs: string[];
  skips: string[];
  more?: number;
}

/** The rule for a question that nobody has answered at the deadline. */
export type OnTimeout = 'wait' | 'proceed' | 'deny' | 'skip';

interface DecisionBase {
  id: string;
  problem: string;
  tried: string[];
  recommendation: OptionId;
  options: DecisionOption[];
  openedAt: string;
  /** Time of the deadline; null where the question waits for ever. */
  deadline: string | null;
  onTimeout: OnTimeout;
}

/** A subtask needs help: `signature` is the failure it is about, and an answer may hold for all that have it. */
export interface Escalation extends DecisionBase {
  kind: 'escalation';
  subtask: string;
  signature: string;
  /** Files that its failed attempts left changed in the workspace. */
  files: FileState[];
  /** Confidence in a result that passed and is not relied on, 0 to 1. */
  score?: number;
}

/** The goal cannot be planned before a person has repaired something: nothing runs until then. */
export interface PlannerEscalation extends DecisionBase {
  kind: 'escalation';
  subtask: null;
  signature: null;
  /** None: nothing has run. */
  files: FileState[];
}

/** A result is done and a person is to accept it. */
export interface Approval extends DecisionBase {
  kind: 'approval';
  subtask: string;
  signature: null;
  action?: never;
  /** Confidence in the result, 0 to 1. */
  score: number;
}

/** An attempt wants to do something dangerous and does it only when a person allows it. */
export interface GateApproval extends DecisionBase {
  kind: 'approval';
  subtask: string;
  /** Signature of an answer for good; null: such an action is asked about each time. */
  signature: string | null;
  action: GatedAction;
  /** The tool call, `<turn>.<index>`; null: the program of a `command` executor, before its first start. */
  call: string | null;
  /** It is a verify command that a model planned, before its subtask starts. */
  check?: true;
}

export interface PlanQuestion extends DecisionBase {
  kind: 'plan';
  /** Nothing of it can continue. */
  stalled?: true;
  subtask: null;
  signature: null;
  /** A guess of what the plan may take. */
  estimate?: { costUsd: number; tokens: number };
  /** No model could plan the goal: it is one subtask. */
  degraded?: true;
}

export interface BudgetQuestion extends DecisionBase {
  kind: 'budget';
  subtask: null;
  signature: null;
  budget: BudgetKey;
  /** Use at the time of the question, in the unit of the budget: milliseconds of `wallClock`. */
  used: number;
  limit: number;
}

/** An attempt stands still until a person has said what it asks. */
export interface Question extends DecisionBase {
  kind: 'question';
  subtask: string;
  signature: null;
  asks: Exclude<Ask, GateAsk>;
}

/**
 * A question to a person, whatever it is about: an escalation, an approval, a question of an agent, a plan or a budget.
 *
 * @example
 * ```ts
 * const { decisions } = await task.status();
 * for (const decision of decisions) console.log(decision.kind, decision.problem);
 * ```
 */
export type Decision =
  | Escalation
  | PlannerEscalation
  | Approval
  | GateApproval
  | PlanQuestion
  | BudgetQuestion
  | Question;

export type DecisionKind = Decision['kind'];

/**
 * An answer to a {@link Decision}.
 *
 * @example
 * ```ts
 * await task.decide({ decisionId: 'deploy-1', option: 'fix', instruction: 'use the staging key', by: 'ana' });
 * ```
 */
export interface DecisionAnswer {
  decisionId: string;
  option: OptionId;
  instruction?: string;
  value?: unknown;
  scope?: 'once' | 'signature';
  by?: string;
}

/** The source of an answer: a person, the plan's rule for a deadline, or an answer that a person gave for every question of this signature. */
export type AnswerSource = 'person' | 'policy' | 'standing';

/** The kept part of an answered question, so that a second answer can be told who came first. The whole is in the events. */
export interface Answered {
  option: OptionId;
  by: string | null;
  at: string;
  /** The update's id, when it came by one: the same id again is answered the same way, also in a later run. */
  updateId: string | null;
}

/** An answer that holds for every question with its signature: about a failure, or about a gate. */
export type Standing = Pick<DecisionAnswer, 'option' | 'instruction' | 'by'>;
