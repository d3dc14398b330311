import type { Answer, DecisionOption } from '../model/decision.ts';
import { sayCount, sayList } from '../text/text.ts';

/** The value of an answer in words, for whoever runs next; anything but text as JSON. */
export function valueText(answer: Pick<Answer, 'value'>): string {
  const { value } = answer;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the choice of an option does to the others in the plan. */
export interface Consequences {
  subtask: string;
  /** Not finished subtasks that depend on it directly. */
  dependents: string[];
  /** All not finished ones behind it. */
  branch: string[];
  /** Attempts that another try may take. */
  attempts: number;
  /** What one attempt cost so far, in words; empty when nothing is known of it. */
  costOfOne: string;
}

export function escalationOptions(about: Consequences, kind: 'credentials' | 'other'): DecisionOption[] {
  const { subtask, dependents, branch } = about;
  const again = `up to ${about.attempts} more ${about.attempts === 1 ? 'attempt' : 'attempts'}${about.costOfOne === '' ? '' : `, about ${about.costOfOne} each`}`;
  const retry = {
    id: 'retry',
    label: 'Try again',
    consequence: `Runs ${subtask} again with everything learned so far; ${again}.`,
    reversible: true,
  };
  const fix = {
    id: 'fix',
    label: 'Try again with my instruction',
    consequence: `Runs ${subtask} again with your instruction first; ${again}.`,
    reversible: true,
  };
  const simpler = {
    id: 'simpler',
    label: 'Try a simpler version',
    consequence: `Runs ${subtask} again and asks only for the core of it; details may be missing.`,
    reversible: true,
  };
  const credentials = {
    id: 'provide-credentials',
    label: 'The credentials are there now',
    consequence: `Runs ${subtask} again. Say where they are now, never the secret itself.`,
    reversible: true,
  };
  const skip = {
    id: 'skip',
    label: 'Go on without it',
    consequence:
      dependents.length === 0
        ? `${subtask} is left out; nothing depends on it.`
        : `${subtask} is left out; ${sayList(dependents)} will run and be told that its result is missing.`,
    reversible: false,
  };
  const skipBranch = {
    id: 'skip-branch',
    label: 'Leave out the whole branch',
    consequence: `${subtask} and ${sayCount(branch.length, 'subtask')} behind it (${sayList(branch)}) are left out.`,
    reversible: false,
  };
  const abort = {
    id: 'abort',
    label: 'Stop the task',
    consequence: 'Nothing more is started and the task ends as cancelled; what is done is kept, and it can be retried.',
    reversible: false,
  };
  return [
    retry,
    fix,
    kind === 'credentials' ? credentials : simpler,
    skip,
    ...(branch.length === 0 ? [] : [skipBranch]),
    abort,
  ];
}

export function approvalOptions(subtask: string): DecisionOption[] {
  return [
    { id: 'approve', label: 'Accept the result', consequence: `${subtask} is completed.`, reversible: false },
    {
      id: 'edit',
      label: 'Ask for a change',
      consequence: `Runs ${subtask} again with the change that you give as the value or instruction.`,
      reversible: true,
    },
    {
      id: 'reject',
      label: 'Do not accept it',
      consequence: `Runs ${subtask} again with your reason as feedback.`,
      reversible: true,
    },
  ];
}

export function planOptions(count: number): DecisionOption[] {
  return [
    {
      id: 'approve',
      label: 'Run the plan',
      consequence: `Starts the ${sayCount(count, 'subtask')} of the plan.`,
      reversible: true,
    },
    {
      id: 'reject',
      label: 'Do not run it',
      consequence: 'The task ends as cancelled; nothing has run.',
      reversible: false,
    },
  ];
}

export function budgetOptions(what: string): DecisionOption[] {
  return [
    {
      id: 'raise',
      label: 'Raise the limit',
      consequence: `The limit on ${what} becomes the value that you give, or doubles.`,
      reversible: true,
    },
    {
      id: 'finish',
      label: 'Finish with what there is',
      consequence: 'Subtasks that have not started are left out; the task ends with the rest.',
      reversible: false,
    },
    {
      id: 'stop',
      label: 'Stop the task',
      consequence: 'The task ends as cancelled; what is done is kept.',
      reversible: false,
    },
  ];
}

/** Options that are empty words without an instruction or a value. */
export const needsInstruction: ReadonlySet<string> = new Set(['fix', 'edit']);
