import type { ChoiceId, Question } from '../../types/decision.ts';
import { clip, oneLine } from '../../text/text.ts';
import { abortTask, runsSubtask, type DecisionAbout, type KindRule, type OptionRule } from './option-rule.ts';

type QuestionAbout = DecisionAbout['question'];

/** An answer that the model offered is a label: a longer one is cut there, and whole in the conversation. */
const mostLabel = 120;

const isOpen = ({ asks }: QuestionAbout): boolean => asks.kind === 'question';
const isUnknown = ({ asks }: QuestionAbout): boolean => asks.kind === 'unknown-effect';

const numbers: Record<ChoiceId, number> = { 'option-1': 0, 'option-2': 1, 'option-3': 2, 'option-4': 3, 'option-5': 4 };

/** The text behind `option-1` and its kin; undefined where the model offered fewer. */
export function findChoice(asks: Question['asks'], option: ChoiceId): string | undefined {
  return asks.kind === 'question' ? asks.options[numbers[option]] : undefined;
}

export const isChoice = (option: string): option is ChoiceId => Object.hasOwn(numbers, option);

const choice = (option: ChoiceId): OptionRule<QuestionAbout> => ({
  label: ({ asks }) => clip(oneLine(findChoice(asks, option) ?? ''), mostLabel),
  consequence: ({ subtask }) => `${subtask} continues with this answer.`,
  reversible: true,
  effect: 'wake-attempt',
  affects: runsSubtask,
  when: ({ asks }) => findChoice(asks, option) !== undefined,
});

/** Options of a question that an agent asks in the middle of its work, or that nobody but a person can answer. */
export const questionOptions: KindRule<QuestionAbout> = {
  options: {
    'option-1': choice('option-1'),
    'option-2': choice('option-2'),
    'option-3': choice('option-3'),
    'option-4': choice('option-4'),
    'option-5': choice('option-5'),
    answer: {
      label: 'Answer in my own words',
      consequence: ({ subtask }) => `${subtask} continues with what you say.`,
      reversible: true,
      effect: 'wake-attempt',
      affects: runsSubtask,
      requiredText: 'what your answer is',
      when: isOpen,
    },
    decline: {
      label: 'Do not answer',
      consequence: ({ subtask }) => `${subtask} continues without an answer and works with what it knows.`,
      reversible: true,
      effect: 'wake-attempt',
      affects: runsSubtask,
      when: isOpen,
    },
    happened: {
      label: 'It happened',
      consequence: ({ subtask }) => `${subtask} continues; this is not done again.`,
      reversible: false,
      effect: 'wake-attempt',
      affects: runsSubtask,
      when: isUnknown,
    },
    'did-not-happen': {
      label: 'It did not happen',
      consequence: ({ subtask }) => `${subtask} continues as if it had never been tried, and may do it again.`,
      reversible: false,
      effect: 'wake-attempt',
      affects: runsSubtask,
      when: isUnknown,
    },
    abort: { ...abortTask, when: isUnknown },
  },
  // No policy knows what a person would have said.
  atDeadline: {
    proceed: null,
    deny: { option: 'decline', effect: 'wake-attempt' },
    skip: { option: 'skip', effect: 'skip' },
  },
};
