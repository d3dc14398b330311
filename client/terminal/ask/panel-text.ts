import { optionRule } from '../../../domain/decisions/options/decision-kinds.ts';
import { fitsForm } from '../../../domain/decisions/options/value-form.ts';
import type { DecisionAnswer, Decision, OptionId } from '../../../domain/types/decision.ts';
import { parseDuration } from '../../../domain/text/duration.ts';

/** The text that a person is asked to write for an option; the options that are not here need none. */
const questions: Readonly<Partial<Record<OptionId, string>>> = {
  fix: 'What should be done differently?',
  edit: 'What should be changed?',
  reject: 'Why not?',
  answer: 'What is your answer?',
  decline: 'Why not? (may be empty)',
  'provide-credentials': 'Where are they now? (never the secret itself)',
  raise: 'New limit (empty: twice the larger of the limit and what is used)',
};

export function askedFor(decision: Decision, option: OptionId): string | undefined {
  const { needsValue } = optionRule(decision, option);
  return needsValue === undefined
    ? questions[option]
    : `Write ${needsValue.description}, such as ${needsValue.example}`;
}

/** The problem with a text that was written; undefined when it will do. */
export function checkText(decision: Decision, option: OptionId, text: string): string | undefined {
  const { requiredText, needsValue } = optionRule(decision, option);
  if (requiredText !== undefined && text.trim() === '') return `Say ${requiredText}.`;
  if (needsValue !== undefined && !fitsForm(needsValue.form, parseJson(text)))
    return `Write ${needsValue.description}.`;
  if (option === 'raise' && text.trim() !== '' && parseLimit(decision, text) === undefined)
    return isTime(decision) ? 'Write it as 30m or 2h.' : 'Write a number.';
  return undefined;
}

export function answerWith(decision: Decision, option: OptionId, text = ''): DecisionAnswer {
  const answer = { decisionId: decision.id, option };
  if (text.trim() === '') return answer;
  if (optionRule(decision, option).needsValue !== undefined) return { ...answer, value: parseJson(text) };
  return option === 'raise' ? { ...answer, value: parseLimit(decision, text) } : { ...answer, instruction: text };
}

/** Undefined: it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isTime = (decision: Decision): boolean => decision.kind === 'budget' && decision.budget === 'wallClock';

function parseLimit(decision: Decision, text: string): number | undefined {
  if (isTime(decision)) return parseDuration(text);
  const number = Number(text);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
