import { isCancel, select, text } from '@clack/prompts';
import { optionRule } from '../../../domain/decisions/kinds.ts';
import type { Answer, Decision, OptionId } from '../../../domain/model/decision.ts';
import { parseDuration } from '../../../domain/text/duration.ts';
import type { InStream, OutStream } from '../../ports/terminal.ts';
import { plainLine } from '../../text/terminal-text.ts';

export interface Asking {
  input: InStream;
  output: OutStream;
  /** Aborted when the question is no longer open. */
  signal: AbortSignal;
}

/** `later`: the person closed the question. `interrupted`: Ctrl-C. `gone`: it was taken back, as somebody else answered. */
export type Asked = Answer | 'later' | 'interrupted' | 'gone';

const later = 'later' as const;

/** What a person is asked to write for an option; the options that are not here need no words. */
const words: Readonly<Partial<Record<OptionId, string>>> = {
  fix: 'What should be done differently?',
  edit: 'What should be changed?',
  reject: 'Why not?',
  'provide-credentials': 'Where are they now? (never the secret itself)',
  raise: 'New limit (empty: twice the larger of the limit and what is used)',
};

/** Asks in the terminal, with the consequence of each choice. */
export async function askPerson(decision: Decision, asking: Asking): Promise<Asked> {
  const interrupt = watchForInterrupt(asking.input);
  const closed = (): Asked => (asking.signal.aborted ? 'gone' : interrupt.seen() ? 'interrupted' : 'later');
  try {
    const option = await select<OptionId | typeof later>({
      ...asking,
      message: plainLine(decision.problem),
      ...choices(decision),
    });
    if (isCancel(option)) return closed();
    if (option === later) return 'later';
    const question = words[option];
    if (question === undefined) return { decisionId: decision.id, option };
    const said = await text({
      ...asking,
      message: question,
      validate: (value) => checkWords(decision, option, value ?? ''),
    });
    if (isCancel(said)) return closed();
    return { decisionId: decision.id, option, ...wordsOf(decision, option, said) };
  } finally {
    interrupt.release();
  }
}

function choices(decision: Decision) {
  const options = decision.options.map((option) => ({
    value: option.id,
    label: plainLine(option.label),
    hint: `${plainLine(option.consequence)}${option.reversible ? '' : ' Cannot be undone.'}`,
  }));
  return {
    options: [...options, { value: later, label: 'Decide later', hint: 'The task keeps waiting for an answer.' }],
    initialValue: decision.recommendation,
  };
}

function checkWords(decision: Decision, option: OptionId, value: string): string | undefined {
  if (optionRule(decision.kind, option).needsWords === true && value.trim() === '') return 'Say what to do.';
  if (option === 'raise' && value.trim() !== '' && limitOf(decision, value) === undefined)
    return isTime(decision) ? 'Write it as 30m or 2h.' : 'Write a number.';
  return undefined;
}

function wordsOf(decision: Decision, option: OptionId, said: string): Pick<Answer, 'instruction' | 'value'> {
  if (said.trim() === '') return {};
  return option === 'raise' ? { value: limitOf(decision, said) } : { instruction: said };
}

const isTime = (decision: Decision): boolean => decision.kind === 'budget' && decision.budget === 'wallClock';

function limitOf(decision: Decision, value: string): number | undefined {
  if (isTime(decision)) return parseDuration(value);
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** The prompt takes the keyboard, so Ctrl-C is a key there, and the prompt does not tell it from Escape. */
function watchForInterrupt(input: InStream): { seen: () => boolean; release: () => void } {
  let pressed = false;
  const onKey = (_character: unknown, key: { ctrl?: boolean; name?: string } | undefined): void => {
    if (key?.ctrl === true && key.name === 'c') pressed = true;
  };
  input.on('keypress', onKey);
  return { seen: () => pressed, release: () => input.off('keypress', onKey) };
}
