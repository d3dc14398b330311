import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { signOf, type Tone } from './state.ts';

export function Tag({ tone, icon, children }: { tone?: Tone; icon?: IconName; children: ComponentChildren }) {
  return (
    <span class={tone === undefined ? 'tag' : `tag is-${tone}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </span>
  );
}

/** A state by sign and word. */
export function StateTag({ state }: { state: string }) {
  const { tone, icon, word } = signOf(state);
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}

export function Key({ name }: { name: string }) {
  return (
    <span class="key" aria-hidden="true">
      {name}
    </span>
  );
}
