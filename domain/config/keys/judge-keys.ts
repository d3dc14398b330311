import { limits } from '../../limits/domain-limits.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

const { files, bytes, fileBytes, time } = limits.judge.scan;

const aboutScan = 'How much is read to find out whether a placeholder that a judge claims to have seen is there.';

/** `[verification]` sets the models that review results which passed their checks. */
export const judgeKeys = [
  {
    key: 'verification.default',
    about:
      'Tier of subtasks that say nothing: 1 checks only, 2 a judge as well, 3 judges that vote. 2 and 3 need a model.',
    value: 1,
  },
  {
    key: 'verification.guard',
    about: 'Whether a judge that claims a placeholder which no file has is asked again, instead of failing the work.',
    value: true,
  },
  { key: 'verification.scanFiles', about: aboutScan, value: files },
  { key: 'verification.scanBytes', about: aboutScan, value: bytes },
  { key: 'verification.scanFileBytes', about: aboutScan, value: fileBytes },
  { key: 'verification.scanTime', about: aboutScan, value: writeDuration(time) },
] as const satisfies readonly ConfigKey[];
