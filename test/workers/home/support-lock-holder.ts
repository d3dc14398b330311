// Stays on the lock of a run folder: holds it, forgets that it holds it, or only looks at it without pause.
import { setImmediate as breathe } from 'node:timers/promises';
import { isLocked, tryLock } from '../../../workers/home/home-lock.ts';

const [, , run = '', mode = 'hold'] = process.argv;

if (mode === 'look') {
  console.log('looking');
  for (;;) {
    isLocked({ run });
    await breathe();
  }
}
if (mode === 'forget') {
  tryLock({ run });
  globalThis.gc?.();
  console.log(isLocked({ run }) ? 'locked' : 'lost');
  setInterval(() => globalThis.gc?.(), 50);
} else {
  const lock = tryLock({ run });
  console.log(lock === undefined ? 'busy' : 'locked');
  if (lock !== undefined) setInterval(() => undefined, 60_000);
}
