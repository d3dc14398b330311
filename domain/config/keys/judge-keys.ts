import { limits } from '../../limits/domain-limits.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

const { files, bytes, fileBytes, time } = limits.judge.scan;

const ofScan = 'How much is read to find out whether a placeholder that a judge claims to have seen is there.';

/** `[verification]`: models that look at what passed its checks. */
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
  { key: 'verification.scanFiles', about: ofScan, value: files },
  { key: 'verification.scanBytes', about: ofScan, value: bytes },
  { key: 'verification.scanFileBytes', about: ofScan, value: fileBytes },
  { key: 'verification.scanTime', about: ofScan, value: writeDuration(time) },
] as const satisfies readonly ConfigKey[];
