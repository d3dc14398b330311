import type { ConfigKey } from './config-key.ts';

/** `[codec]` encrypts the history of tasks. */
export const codecConfigKeys = [
  {
    key: 'codec.keys',
    about:
      "The file of keys that encrypt what the Temporal server stores. Only in the user's own file; not for `--config`.",
    example: 'codec-keys.txt',
  },
] as const satisfies readonly ConfigKey[];
