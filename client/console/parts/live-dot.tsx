import { link } from '../live/connection.ts';

const words = {
  connecting: 'connecting',
  live: 'live',
  asking: 'every 3 s',
  lost: 'no answer',
} as const;

/** Shows by colour and word if the page is current. */
export function LiveDot() {
  const state = link.value;
  return (
    <span
      class={`live is-${state}`}
      title={state === 'asking' ? 'Four other tabs have the streams of this browser' : undefined}
    >
      <i class={state === 'live' ? '' : 'beat'} />
      <span>{words[state]}</span>
    </span>
  );
}
