import type { Ask } from '../model/agent.ts';
import type { BudgetKey } from '../model/budget.ts';
import type { OnTimeout, OptionId } from '../model/decision.ts';

/** What an answer does. The work of each is one function in `course/effects.ts`. */
export type Effect =
  | 'run-again'
  | 'accept-result'
  | 'reject-result'
  | 'fail-result'
  | 'skip'
  | 'skip-branch'
  | 'stop'
  | 'start-plan'
  | 'refuse-plan'
  | 'raise-budget'
  | 'finish'
  | 'wake-attempt';

export interface OptionRule<About> {
  label: string | ((about: About) => string);
  consequence: (about: About) => string;
  reversible: boolean;
  effect: Effect;
  /** It says nothing without an instruction or a value: what these are to say. */
  needsWords?: string;
  /** What whoever runs next is told, from what the person said. */
  guidance?: (said: string) => string;
  /** Only where it makes a difference. */
  when?: (about: About) => boolean;
}

export interface KindRule<About> {
  options: Partial<Record<OptionId, OptionRule<About>>>;
  /** What the policy answers in a person's place. */
  atDeadline: Record<Exclude<OnTimeout, 'wait'>, { option: OptionId; effect: Effect } | null>;
}

/** What the choice of an option does to the others in the plan. */
export interface EscalationAbout {
  subtask: string;
  /** Not finished subtasks that depend on it directly. */
  dependents: string[];
  /** All not finished ones behind it. */
  branch: string[];
  /** Attempts that another try may take. */
  attempts: number;
  /** What one attempt cost so far, in words; empty when nothing is known of it. */
  costOfOne: string;
  needsCredentials: boolean;
}

export interface DecisionAbout {
  escalation: EscalationAbout;
  approval: { subtask: string };
  plan: { subtasks: number };
  budget: { key: BudgetKey; name: string };
  question: { subtask: string; asks: Ask };
}

/** Of every question that may end the task: what is done stays. */
export const abortTask = {
  label: 'Stop the task',
  consequence: () =>
    'Nothing more is started and the task ends as cancelled; what is done is kept, and it can be retried.',
  reversible: false,
  effect: 'stop',
} as const satisfies OptionRule<unknown>;
