import { useEffect, useRef } from 'preact/hooks';
import type { Card, DecisionOption } from '../api/wire.ts';
import { useKeys, type KeyMap } from '../core/keys.ts';
import { formatList, formatSpan, formatUsd } from '../parts/format.ts';
import { Key, Tag } from '../parts/tag.tsx';
import { textNeed, type DraftState } from './draft.ts';
import { EditArguments } from './edit-arguments.tsx';

/** The choices of a question, each with what it does, its price, and whether it can be undone. */
export function Options({ card, draft }: { card: Card; draft: DraftState }) {
  const keys: KeyMap = Object.fromEntries(
    card.options.slice(0, 9).map(({ id }, index) => [String(index + 1), () => draft.change({ option: id })]),
  );
  useKeys(keys);
  const edit = card.options.find(({ id }) => id === 'edit');
  useKeys(edit === undefined || card.kind === 'plan' ? {} : { e: () => draft.change({ option: 'edit' }) });
  return (
    <div>
      <div class="label" id="what-to-do">
        What to do
      </div>
      <div class="options" role="radiogroup" aria-labelledby="what-to-do">
        {card.options.map((option, index) => (
          <Choice key={option.id} card={card} option={option} number={index + 1} draft={draft} />
        ))}
      </div>
    </div>
  );
}

interface ChoiceOf {
  card: Card;
  option: DecisionOption;
  number: number;
  draft: DraftState;
}

function Choice({ card, option, number, draft }: ChoiceOf) {
  const { id, label, consequence, reversible } = option;
  const chosen = draft.value.option === id;
  return (
    <div class={chosen ? 'option is-chosen' : 'option'}>
      <label class="choice">
        <input
          type="radio"
          name={`options-${card.id}`}
          checked={chosen}
          onChange={() => draft.change({ option: id })}
        />
        <Key name={String(number)} />
        <span class="say">
          {label}
          {id === card.recommendation ? (
            <>
              {' '}
              <Tag>recommended</Tag>
            </>
          ) : null}
          {reversible ? null : (
            <>
              {' '}
              <Tag tone="fail">cannot be undone</Tag>
            </>
          )}
        </span>
        <span class="price">{formatPrice(option)}</span>
        <span class="then">
          {consequence}
          <Touched option={option} />
        </span>
      </label>
      {chosen ? <Entry card={card} option={option} draft={draft} /> : null}
    </div>
  );
}

function formatPrice({ cost }: DecisionOption): string {
  if (cost === undefined) return '';
  const { attempts, usd, ms } = cost;
  const parts = [
    ...(usd === null || usd === 0 ? [] : [`${formatUsd(usd)} USD`]),
    ...(ms === null || ms === 0 ? [] : [formatSpan(ms)]),
  ];
  if (attempts === 0) return 'no cost';
  if (parts.length === 0) return attempts === 1 ? '1 attempt' : `up to ${attempts} attempts`;
  return attempts === 1 ? `≈ ${parts.join(', ')}` : `≈ ${parts.join(', ')} each, up to ${attempts}`;
}

/** Subtasks that an answer lets run or skips, where the sentence does not name them all. */
function Touched({ option: { affects, consequence } }: { option: DecisionOption }) {
  if (affects === undefined) return null;
  const skips = affects.skips.filter((id) => !consequence.includes(id));
  if (skips.length === 0) return null;
  return <> Also skipped: {formatList(skips, 8)}.</>;
}

/** The text or the value that the chosen option takes. */
function Entry({ card, option, draft }: Omit<ChoiceOf, 'number'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  const need = textNeed(card, option);
  useEffect(() => {
    if (need?.required === true && draft.isTouched) field.current?.focus();
  }, []);
  if (card.kind === 'budget' && option.id === 'raise') return <Limit card={card} draft={draft} />;
  if (option.needs !== undefined && 'value' in option.needs && card.kind !== 'plan')
    return <EditArguments card={card} needs={option.needs.value} draft={draft} />;
  if (need === null) return null;
  const label = `${need.purpose.charAt(0).toUpperCase()}${need.purpose.slice(1)}${need.required ? '' : ' (optional)'}`;
  return (
    <textarea
      ref={field}
      class="words"
      aria-label={label}
      placeholder={label}
      required={need.required}
      maxLength={8_000}
      value={draft.value.text}
      onInput={(event) => draft.change({ text: event.currentTarget.value })}
    />
  );
}

const units: Readonly<Record<string, string>> = {
  costUsd: 'USD',
  wallClock: 'such as 2h',
  tokens: 'tokens',
  modelCalls: 'calls',
};

function Limit({ card, draft }: { card: Card; draft: DraftState }) {
  const key = card.kind === 'budget' ? card.budget : '';
  return (
    <label class="limit">
      <span>to</span>
      <input
        class="field"
        inputMode={key === 'wallClock' ? 'text' : 'decimal'}
        placeholder="twice the larger of limit and use"
        value={draft.value.value}
        onInput={(event) => draft.change({ value: event.currentTarget.value })}
      />
      <span class="quiet">{units[key] ?? ''}</span>
    </label>
  );
}
