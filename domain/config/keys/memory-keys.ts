import { limits } from '../../limits/domain-limits.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

/** `[memory]` sets how the lessons of a project are learned and used. */
export const memoryKeys = [
  {
    key: 'memory.lessons',
    about: 'Learn lessons from failures that were overcome and from corrections, and show them to later attempts.',
    value: true,
  },
  { key: 'memory.recall', about: 'Lessons that one attempt is shown at most.', value: limits.lessons.recall },
  {
    key: 'memory.expire',
    about: 'Age at which a lesson that never helped is retired.',
    value: writeDuration(limits.lessons.expire),
  },
] as const satisfies readonly ConfigKey[];
