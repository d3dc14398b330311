import { isRetryLog } from '../../activities/home/home-layout.ts';
import type { Logging } from '../settings/settings.ts';

/** How long log files are kept, in milliseconds. */
export type LogAges = Pick<Logging, 'retention' | 'retryRetention'>;

/** The retry log for people repeats what its JSON lines hold, which are kept longer. */
export const ageOfLog = (name: string, { retention, retryRetention }: LogAges): number =>
  isRetryLog(name) ? retryRetention : retention;
