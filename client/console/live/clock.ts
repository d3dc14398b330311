import { signal } from '@preact/signals';

/** The time of the page, moved often enough for texts such as "14 min". */
export const now = signal(Date.now());

const stepMs = 5_000;

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, stepMs);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now();
});
