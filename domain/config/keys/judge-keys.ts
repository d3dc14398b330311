import { limits } from '../../limits/domain-limits.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

const { files, bytes, fileBytes, time } = limits.judge.scan;

const aboutScan = 'Limits of the search for a placeholder that a judge claims to have seen.';

/** `[verification]` sets the models that review results which passed their checks. */
export const judgeKeys = [
  {
    key: 'verification.default',
    about:
      'Default tier of verification: 1 checks only, 2 adds a judge, 3 adds judges that vote. 2 and 3 need a model.',
    value: 1,
  },
  {
    key: 'verification.guard',
    about: 'Ask a judge again, instead of failing the work, if it claims a placeholder that is in no file.',
    value: true,
  },
  {
    key: 'verification.toolFailures',
    about: 'For an agent that left a failed tool call behind: off, warn, or enforce, which fails the attempt.',
    value: 'warn',
  },
  { key: 'verification.scanFiles', about: aboutScan, value: files },
  { key: 'verification.scanBytes', about: aboutScan, value: bytes },
  { key: 'verification.scanFileBytes', about: aboutScan, value: fileBytes },
  { key: 'verification.scanTime', about: aboutScan, value: writeDuration(time) },
] as const satisfies readonly ConfigKey[];
