import { effect, signal, type Signal } from '@preact/signals';

/** A switch that this browser remembers. */
export function storedSwitch(name: string, first: boolean): Signal<boolean> {
  const kept = read(name);
  const value = signal(kept === null ? first : kept === 'on');
  effect(() => {
    const text = value.value ? 'on' : 'off';
    try {
      localStorage.setItem(name, text);
    } catch {
      // A browser that keeps nothing forgets the switch with the page.
    }
  });
  return value;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
