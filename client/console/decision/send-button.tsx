import { useEffect, useState } from 'preact/hooks';
import type { Card } from '../api/wire.ts';
import { useKeys } from '../core/keys.ts';
import { Key } from '../parts/tag.tsx';
import { isComplete, optionOf, type Draft } from './draft.ts';

interface Sending {
  card: Card;
  draft: Draft;
  sending: boolean;
  blocked?: string | null;
  onSend: () => void;
}

/** The button names the answer that it sends. An answer that cannot be undone, and a yes to a part only, is asked for twice. */
export function SendButton({ card, draft, sending, blocked = null, onSend }: Sending) {
  const [armed, setArmed] = useState(false);
  const option = optionOf(card, draft.option);
  useEffect(() => setArmed(false), [draft.option, card.id]);
  const isPart = 'action' in card && card.action.cut === true;
  const twice = option !== undefined && (!option.reversible || isPart);
  const ready = option !== undefined && isComplete(card, draft) && blocked === null && !sending;
  const press = (): void => {
    if (!ready) return;
    if (twice && !armed) setArmed(true);
    else onSend();
  };
  useKeys({ Enter: press, 'ctrl+Enter': press });
  const label = blocked ?? (option === undefined ? 'Choose an answer' : `Answer: ${lower(option.label)}`);
  return (
    <button class={`button first ${armed ? 'is-armed' : ''}`} type="button" disabled={!ready} onClick={press}>
      {sending
        ? 'Sending…'
        : armed
          ? `Press again: ${isPart ? 'only a part was shown' : 'it cannot be undone'}`
          : label}{' '}
      {sending ? null : <Key name="⏎" />}
    </button>
  );
}

const lower = (label: string): string => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
