// Stays on the lock of a run folder: holds it, or forgets that it holds it.
import { tryLock } from '../../../workers/home/home-lock.ts';

const [, , run = '', mode = 'hold'] = process.argv;

if (mode === 'forget') {
  console.log(tryLock({ run }) === undefined ? 'busy' : 'locked');
  globalThis.gc?.();
  setInterval(() => globalThis.gc?.(), 50);
} else {
  const lock = tryLock({ run });
  console.log(lock === undefined ? 'busy' : 'locked');
  if (lock !== undefined) setInterval(() => undefined, 60_000);
}
