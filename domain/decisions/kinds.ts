import type { Answer, DecisionKind, DecisionOption, OnTimeout, OptionId } from '../model/decision.ts';
import { sayCount, sayList } from '../text/text.ts';
import { question } from './question.ts';
import {
  abortTask,
  type DecisionAbout,
  type Effect,
  type EscalationAbout,
  type KindRule,
  type OptionRule,
} from './rule.ts';

const again = ({ attempts, costOfOne }: EscalationAbout): string =>
  `up to ${sayCount(attempts, 'more attempt')}${costOfOne === '' ? '' : `, about ${costOfOne} each`}`;

/** Every kind of question: its options, what each needs, says and does, and what a deadline does. */
const kinds: { [Kind in DecisionKind]: KindRule<DecisionAbout[Kind]> } = {
  escalation: {
    options: {
      retry: {
        label: 'Try again',
        consequence: (about) => `Runs ${about.subtask} again with everything learned so far; ${again(about)}.`,
        reversible: true,
        effect: 'run-again',
      },
      fix: {
        label: 'Try again with my instruction',
        consequence: (about) => `Runs ${about.subtask} again with your instruction first; ${again(about)}.`,
        reversible: true,
        effect: 'run-again',
        needsWords: 'what to do differently',
      },
      simpler: {
        label: 'Try a simpler version',
        consequence: ({ subtask }) => `Runs ${subtask} again and asks only for the core of it; details may be missing.`,
        reversible: true,
        effect: 'run-again',
        guidance: (said) => `Do a simpler version: only the core of what is asked.${said === '' ? '' : `\n${said}`}`,
        when: ({ needsCredentials }) => !needsCredentials,
      },
      'provide-credentials': {
        label: 'The credentials are available now',
        consequence: ({ subtask }) => `Runs ${subtask} again. Say where they are now, never the secret itself.`,
        reversible: true,
        effect: 'run-again',
        guidance: (said) => (said === '' ? '' : `The credentials are available now: ${said}`),
        when: ({ needsCredentials }) => needsCredentials,
      },
      skip: {
        label: 'Continue without it',
        consequence: ({ subtask, dependents }) =>
          dependents.length === 0
            ? `${subtask} is skipped; nothing depends on it.`
            : `${subtask} is skipped; ${sayList(dependents)} will run and be told that its result is missing.`,
        reversible: false,
        effect: 'skip',
      },
      'skip-branch': {
        label: 'Skip the whole branch',
        consequence: ({ subtask, branch }) =>
          `${subtask} and ${sayCount(branch.length, 'subtask')} behind it (${sayList(branch)}) are skipped.`,
        reversible: false,
        effect: 'skip-branch',
        when: ({ branch }) => branch.length > 0,
      },
      abort: abortTask,
    },
    atDeadline: { proceed: null, deny: null, skip: { option: 'skip', effect: 'skip' } },
  },
  approval: {
    options: {
      approve: {
        label: 'Accept the result',
        consequence: ({ subtask }) => `${subtask} is completed.`,
        reversible: false,
        effect: 'accept-result',
      },
      edit: {
        label: 'Ask for a change',
        consequence: ({ subtask }) =>
          `Runs ${subtask} again with the change that you give as the value or instruction.`,
        reversible: true,
        effect: 'reject-result',
        needsWords: 'what to do differently',
      },
      reject: {
        label: 'Do not accept it',
        consequence: ({ subtask }) => `Runs ${subtask} again with your reason as feedback.`,
        reversible: true,
        effect: 'reject-result',
        guidance: (said) => `The last result was not accepted.${said === '' ? '' : ` Reason: ${said}`}`,
      },
    },
    atDeadline: {
      proceed: { option: 'approve', effect: 'accept-result' },
      // Nobody said what is wrong with it: another attempt would be a bare retry, and the next deadline would deny that one too.
      deny: { option: 'reject', effect: 'fail-result' },
      skip: { option: 'skip', effect: 'skip' },
    },
  },
  plan: {
    options: {
      approve: {
        label: 'Run the plan',
        consequence: ({ subtasks }) => `Starts the ${sayCount(subtasks, 'subtask')} of the plan.`,
        reversible: true,
        effect: 'start-plan',
      },
      reject: {
        label: 'Do not run it',
        consequence: () => 'The task ends as cancelled; nothing has run.',
        reversible: false,
        effect: 'refuse-plan',
      },
    },
    atDeadline: {
      proceed: { option: 'approve', effect: 'start-plan' },
      deny: { option: 'reject', effect: 'refuse-plan' },
      skip: null,
    },
  },
  budget: {
    options: {
      raise: {
        label: 'Raise the limit',
        consequence: ({ name }) =>
          `The limit on ${name} becomes the value that you give, or twice the larger of the limit and what is used.`,
        reversible: true,
        effect: 'raise-budget',
      },
      finish: {
        label: 'Finish with what is done',
        consequence: () => 'Subtasks that have not started are skipped; the task ends with the rest.',
        reversible: false,
        effect: 'finish',
      },
      stop: {
        label: 'Stop the task',
        consequence: () => 'The task ends as cancelled; what is done is kept.',
        reversible: false,
        effect: 'stop',
      },
    },
    atDeadline: { proceed: null, deny: { option: 'stop', effect: 'stop' }, skip: null },
  },
  question,
};

/** What a question of this kind offers, in the order of the table. */
export function optionsOf<Kind extends DecisionKind>(kind: Kind, about: DecisionAbout[Kind]): DecisionOption[] {
  const rules = Object.entries(kinds[kind].options) as [OptionId, OptionRule<DecisionAbout[Kind]>][];
  return rules
    .filter(([, { when }]) => when === undefined || when(about))
    .map(([id, { label, consequence, reversible }]) => ({
      id,
      label: typeof label === 'string' ? label : label(about),
      consequence: consequence(about),
      reversible,
    }));
}

/** What an option means, whatever the question is about. */
export function optionRule(kind: DecisionKind, option: OptionId): Pick<OptionRule<never>, 'effect' | 'needsWords'> {
  const rule = kinds[kind].options[option];
  if (rule === undefined) throw new Error(`${option} is no option of a question of kind ${kind}`);
  return rule;
}

export function atDeadline(kind: DecisionKind, onTimeout: OnTimeout): { option: OptionId; effect: Effect } | null {
  return onTimeout === 'wait' ? null : kinds[kind].atDeadline[onTimeout];
}

/** The value of an answer in words, for whoever runs next; anything but text as JSON. */
export function valueText(answer: Pick<Answer, 'value'>): string {
  const { value } = answer;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an answer tells whoever runs next. */
export function guidanceOf(kind: DecisionKind, answer: Pick<Answer, 'option' | 'instruction' | 'value'>): string {
  const said = [answer.instruction, valueText(answer)]
    .filter((text) => text !== undefined && text.trim() !== '')
    .join('\n');
  const guidance = kinds[kind].options[answer.option]?.guidance;
  return guidance === undefined ? said : guidance(said);
}

const optionIds: ReadonlySet<string> = new Set(Object.values(kinds).flatMap(({ options }) => Object.keys(options)));

export const isOptionId = (text: string): text is OptionId => optionIds.has(text);
