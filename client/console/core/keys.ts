import { useEffect, useRef } from 'preact/hooks';
import { storedSwitch } from './stored.ts';

/** Single keys can be switched off, since some people's devices press them by chance. */
export const keysOn = storedSwitch('heddle-keys', true);

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The newest map is asked first: a part of a page may take a key from the page. */
const maps: { current: KeyMap }[] = [];

/** Milliseconds in which the second key of a pair such as `g i` has to follow. */
const pairMs = 1_200;
let first = { key: '', at: 0 };

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type)));

/** Enter on a link or a button presses that, and nothing else. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary') !== null;

function nameOf(event: KeyboardEvent): string {
  const name = event.ctrlKey || event.metaKey ? `ctrl+${event.key}` : event.key;
  if (name.length > 1) return name;
  const pair = `${first.key} ${name}`;
  const fits = Date.now() - first.at < pairMs && maps.some(({ current }) => Object.hasOwn(current, pair));
  first = { key: name, at: Date.now() };
  return fits ? pair : name;
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  const field = inField(event.target);
  if (field && !name.startsWith('ctrl+') && name !== 'Escape') return;
  if (!keysOn.value && name.length === 1) return;
  if ((event.ctrlKey || event.metaKey) && name !== 'ctrl+Enter') return;
  if (name === 'Enter' && isPressable(event.target)) return;
  for (const { current } of maps.toReversed()) {
    const run = current[name];
    if (run === undefined) continue;
    event.preventDefault();
    run(event);
    return;
  }
});

/** The keys of a part of the page, as long as it is shown. */
export function useKeys(map: KeyMap): void {
  const own = useRef({ current: map }).current;
  own.current = map;
  useEffect(() => {
    maps.push(own);
    return () => void maps.splice(maps.indexOf(own), 1);
  }, []);
}
