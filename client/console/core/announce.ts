import { signal } from '@preact/signals';

/** The sentence that a screen reader reads out, and that is shown for a moment. */
export const announcement = signal('');
export const toast = signal<{ text: string; tone: 'done' | 'fail' } | null>(null);

const shownMs = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  announcement.value = text;
}

export function showToast(text: string, tone: 'done' | 'fail' = 'done'): void {
  toast.value = { text, tone };
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(() => (toast.value = null), shownMs);
}
