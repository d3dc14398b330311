export type DecisionKind = 'approval' | 'escalation' | 'question' | 'plan' | 'budget';

export interface DecisionOption {
  id: string;
  label: string;
  consequence: string;
  reversible: boolean;
}

/** A question to a person. The same object for approvals and escalations. */
export interface Decision {
  id: string;
  kind: DecisionKind;
  subtask: string | null;
  problem: string;
  tried: string[];
  recommendation: string;
  options: DecisionOption[];
  openedAt: string;
  /** Absolute time, or null: it waits for ever. */
  deadline: string | null;
  onTimeout: 'wait' | 'proceed' | 'deny' | 'skip';
  /** The failure it is about: an answer may hold for the signature. */
  signature: string | null;
}

export interface Answer {
  decisionId: string;
  option: string;
  instruction?: string;
  value?: unknown;
  scope?: 'once' | 'signature';
  by?: string;
}

/** An answer as it was taken; kept so that a second one can be told who came first. */
export interface AnsweredDecision {
  decision: Decision;
  answer: Answer;
  at: string;
  /** The update's id, when it came by one: the same id again is answered the same way, also in a later run. */
  updateId: string | null;
}
