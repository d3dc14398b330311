import { activityLimits } from '../limits/activity-limits.ts';

/** The letters at the beginning of unknown data, in runs that are long enough to be words. */
export function findPrintable(bytes: Buffer): string {
  const { unknownHead, unknownText } = activityLimits.documents;
  const head = bytes.toString('latin1', 0, unknownHead);
  return (head.match(/[ -~]{6,}/g) ?? []).join(' ').slice(0, unknownText);
}
