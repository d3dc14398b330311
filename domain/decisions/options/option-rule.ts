import type { BudgetKey } from '../../types/basic/budget.ts';
import type { DecisionKind, OnTimeout, OptionCost, OptionId, Question, ValueForm } from '../../types/decision.ts';
import { formatCount, formatList } from '../../text/text.ts';

/** The effect of an answer. The work of each is one function in `answer-effects.ts`. */
export type Effect =
  | 'run-again'
  | 'accept-result'
  | 'reject-result'
  | 'fail-result'
  | 'skip'
  | 'skip-branch'
  | 'replan'
  | 'stop'
  | 'plan-again'
  | 'keep-plan'
  | 'start-plan'
  | 'edit-plan'
  | 'refuse-plan'
  | 'raise-budget'
  | 'finish'
  | 'wake-attempt'
  | 'permit-program'
  | 'refuse-program'
  | 'decide-check';

/** The form of a value: JSON. */
export interface NeededValue {
  form: ValueForm;
  /** A description for the person who has to write it. */
  description: string;
  example: string;
  /** Characters, where it may be longer than the arguments of a call. */
  most?: number;
}

export interface OptionRule<About> {
  label: string | ((about: About) => string);
  consequence: (about: About) => string;
  reversible: boolean;
  effect: Effect;
  /** It says nothing without an instruction or a value: what these are to say. */
  requiredText?: string;
  /** It takes a value, and only of this form. */
  needsValue?: NeededValue;
  /** The guidance of the next attempt, from the person's words. */
  guidance?: (instruction: string) => string;
  /** Its price, where it has one that can be guessed. */
  cost?: (about: About) => OptionCost;
  /** The subtasks that it runs, and those that it skips. */
  affects?: (about: About) => { runs?: readonly string[]; skips?: readonly string[] };
  /** Only where it makes a difference. */
  when?: (about: About) => boolean;
}

export interface KindRule<About> {
  options: Partial<Record<OptionId, OptionRule<About>>>;
  /** The policy's answer in a person's place. */
  atDeadline: Record<Exclude<OnTimeout, 'wait'>, { option: OptionId; effect: Effect } | null>;
}

/** The subtasks behind a subtask in the plan. */
export interface BranchAbout {
  subtask: string;
  /** Not finished subtasks that depend on it directly. */
  dependents: string[];
  /** All not finished ones behind it. */
  branch: string[];
}

/** The consequence of an option for the others in the plan. */
export interface EscalationAbout extends BranchAbout {
  /** Attempts that another try may take. */
  attempts: number;
  /** The mean of one attempt so far; null where nobody can tell. */
  costOfOne: Omit<OptionCost, 'attempts'>;
  needsCredentials: boolean;
  /** There is a planner, and the task may have another plan. */
  mayReplan?: true;
}

/** The topic of a question decides its options: an approval is of a result, of a tool call, of a program, or of a check. */
export type Topic = DecisionKind | 'planner' | 'gated-call' | 'gated-program' | 'gated-check' | 'stall';

export interface DecisionAbout {
  escalation: EscalationAbout;
  /** `variable` holds the key of the model that plans. `isRefused`: it does not take the key. `changes`: there is a plan, and another is wanted. */
  planner: { variable: string | undefined; isRefused: boolean; changes: boolean };
  approval: { subtask: string };
  'gated-call': { subtask: string };
  'gated-program': BranchAbout;
  'gated-check': { subtask: string };
  /** `edits`: another plan can be given. `plans`: a model made it, and can make another. `estimate`: what it may take, in words. */
  plan: { subtasks: number; edits?: boolean; plans?: boolean; estimate?: string };
  stall: { open: readonly string[]; mayReplan?: true };
  /** `plans`: there is no plan yet. `open`: the subtasks that have not started. */
  budget: { key: BudgetKey; name: string; plans?: true; open?: readonly string[] };
  question: { subtask: string; asks: Question['asks'] };
}

/** Most options about a subtask let it run. */
export const runsSubtask = ({ subtask }: { subtask: string }): { runs: string[] } => ({ runs: [subtask] });

/** Options of every question that may end the task: finished work stays. */
export const abortTask = {
  label: 'Stop the task',
  consequence: () =>
    'Nothing more is started and the task ends as cancelled; what is done is kept, and it can be retried.',
  reversible: false,
  effect: 'stop',
} as const satisfies OptionRule<unknown>;

/** Options of every question that a planner may settle. */
export const makeNewPlan = {
  label: 'Make a new plan',
  consequence: () =>
    'A planner changes what is not finished, with what you say as the instruction; completed subtasks stay as they are.',
  reversible: false,
  effect: 'replan',
  when: ({ mayReplan }) => mayReplan === true,
} as const satisfies OptionRule<{ mayReplan?: true }>;

/** Options of every question that a subtask can be given up for. */
export const skipSubtask = {
  label: 'Continue without it',
  consequence: ({ subtask, dependents }) =>
    dependents.length === 0
      ? `${subtask} is skipped; nothing depends on it.`
      : `${subtask} is skipped; ${formatList(dependents)} will run and be told that its result is missing.`,
  reversible: false,
  effect: 'skip',
  affects: ({ subtask, dependents }) => ({ runs: dependents, skips: [subtask] }),
} as const satisfies OptionRule<BranchAbout>;

export const skipBranch = {
  label: 'Skip the whole branch',
  consequence: ({ subtask, branch }) =>
    `${subtask} and ${formatCount(branch.length, 'subtask')} that ${branch.length === 1 ? 'depends' : 'depend'} on it (${formatList(branch)}) are skipped.`,
  reversible: false,
  effect: 'skip-branch',
  affects: ({ subtask, branch }) => ({ skips: [subtask, ...branch] }),
  when: ({ branch }) => branch.length > 0,
} as const satisfies OptionRule<BranchAbout>;
