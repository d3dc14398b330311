import type { Card, GivenAnswer } from '../api/wire.ts';
import { now } from '../live/clock.ts';
import { formatClock, formatSpan } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';

const sources = { person: '', policy: 'the deadline’s rule', standing: 'an answer given for good' } as const;

/** The answer that a question has, and who gave it. */
export function Answered({ card, answer, lateMs }: { card: Card; answer: GivenAnswer; lateMs: number | null }) {
  const label = card.options.find(({ id }) => id === answer.option)?.label ?? answer.option;
  const who = answer.by ?? (sources[answer.source] || 'Another person');
  const ago = now.value - Date.parse(answer.at);
  return (
    <div class={`answered ${lateMs === null ? '' : 'is-late'}`} role={lateMs === null ? undefined : 'alert'}>
      <Icon name={lateMs === null ? 'ok' : 'no'} />
      <span>
        <b>{who}</b> answered <em>{label}</em>{' '}
        {lateMs === null
          ? ago < 90_000
            ? 'a moment ago'
            : `at ${formatClock(answer.at)}`
          : `${formatSpan(Math.max(0, lateMs))} before you. Your answer had no effect.`}
      </span>
    </div>
  );
}
