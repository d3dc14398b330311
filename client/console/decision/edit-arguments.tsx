import { useEffect, useRef } from 'preact/hooks';
import type { Card, OptionValue } from '../api/wire.ts';
import { Icon } from '../parts/icon.tsx';
import { readValue, type DraftState } from './draft.ts';

/** The arguments of a gated call as they are, to be changed in place. */
export function EditArguments({ card, needs, draft }: { card: Card; needs: OptionValue; draft: DraftState }) {
  const first = useRef(true);
  useEffect(() => {
    if (draft.value.value === '') draft.change({ value: firstValue(card, needs) });
  }, []);
  const command = readCommand(draft.value.value);
  const value = readValue(card, { ...draft.value, option: 'edit' });
  const focus = (field: HTMLTextAreaElement | null): void => {
    if (field !== null && first.current) field.focus();
    if (field !== null) first.current = false;
  };
  if (command !== undefined)
    return (
      <textarea
        ref={focus}
        class="words mono"
        aria-label="The command to run instead"
        value={command}
        onInput={(event) => draft.change({ value: JSON.stringify({ command: event.currentTarget.value }) })}
      />
    );
  return (
    <>
      <textarea
        ref={focus}
        class="words mono"
        aria-label={needs.say}
        rows={Math.min(14, draft.value.value.split('\n').length + 1)}
        value={draft.value.value}
        onInput={(event) => draft.change({ value: event.currentTarget.value })}
      />
      {value.ok || draft.value.value === '' ? null : (
        <span class="entry-problem">
          <Icon name="no" /> {value.problem}
        </span>
      )}
    </>
  );
}

function firstValue(card: Card, { example }: OptionValue): string {
  const given: unknown = 'action' in card ? card.action.arguments : undefined;
  return given === undefined ? example : JSON.stringify(given, null, 2);
}

/** The command, where it is the only argument: it is edited as it is, not as JSON. */
function readCommand(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return undefined;
    return 'command' in value && typeof value.command === 'string' ? value.command : undefined;
  } catch {
    return undefined;
  }
}
