import { useState } from 'preact/hooks';
import type { Card, DecisionOption, OptionId } from '../api/wire.ts';

/** The answer that a person is about to give. */
export interface Draft {
  option: OptionId | null;
  text: string;
  /** The value as text: JSON, or a limit. */
  value: string;
  forGood: boolean;
}

export interface DraftState {
  value: Draft;
  /** A person has chosen or written something: until then no field takes the keys. */
  isTouched: boolean;
  change: (change: Partial<Draft>) => void;
}

/** The recommended option is chosen at first, unless it cannot be undone: nobody approves that by a slip. */
export function useDraft(card: Card): DraftState {
  const [value, setValue] = useState<Draft>(() => ({ option: firstOption(card), text: '', value: '', forGood: false }));
  const [isTouched, setTouched] = useState(false);
  const change = (part: Partial<Draft>): void => {
    setTouched(true);
    setValue((before) => ({ ...before, ...part }));
  };
  return { value, isTouched, change };
}

function firstOption(card: Card): OptionId | null {
  const recommended = card.options.find(({ id }) => id === card.recommendation);
  if (recommended === undefined) return null;
  return card.kind === 'approval' && !recommended.reversible ? null : recommended.id;
}

export type TextNeed = { purpose: string; required: boolean } | null;

/** The purpose of a text beside an option, where the option takes one. */
const hints: Partial<Record<OptionId, string>> = {
  fix: 'what to do differently',
  answer: 'your answer',
  'provide-credentials': 'where they are now, never the secret itself',
  simpler: 'what the core of it is',
  replan: 'what the new plan should do',
  reject: 'why not',
};

export function textNeed({ kind }: Card, option: DecisionOption): TextNeed {
  const { needs, id } = option;
  if (needs !== undefined && 'words' in needs) return { purpose: needs.words, required: true };
  if (needs !== undefined) return null;
  if (kind === 'approval' && id === 'edit') return { purpose: 'what to change', required: true };
  const purpose = hints[id];
  return purpose === undefined ? null : { purpose, required: id === 'fix' || id === 'answer' };
}

export const optionOf = (card: Card, id: OptionId | null): DecisionOption | undefined =>
  card.options.find((option) => option.id === id);

/** The value of a draft that the option needs: parsed JSON, or why it is not JSON. */
export function readValue(card: Card, draft: Draft): { ok: true; value?: unknown } | { ok: false; problem: string } {
  if (card.kind === 'budget' && draft.option === 'raise') {
    const text = draft.value.trim();
    if (text === '') return { ok: true };
    const amount = Number(text);
    return { ok: true, value: Number.isFinite(amount) ? amount : text };
  }
  const needs = optionOf(card, draft.option)?.needs;
  if (needs === undefined || !('value' in needs)) return { ok: true };
  try {
    return { ok: true, value: JSON.parse(draft.value) as unknown };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : 'this is not JSON' };
  }
}

export function isComplete(card: Card, draft: Draft): boolean {
  const option = optionOf(card, draft.option);
  if (option === undefined) return false;
  if (textNeed(card, option)?.required === true && draft.text.trim() === '') return false;
  return readValue(card, draft).ok;
}
