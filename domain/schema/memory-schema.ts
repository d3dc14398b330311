import { limits } from '../limits/domain-limits.ts';
import { duration, map, wholeNumber, yesNo } from '../input/values.ts';

const year = 365 * 24 * 60 * 60_000;

/** `[memory]`: the lessons of projects. */
export const memorySchema = map(
  {
    lessons: yesNo.exactOptional(),
    recall: wholeNumber(0, limits.lessons.mostRecalled).exactOptional(),
    expire: duration(year).exactOptional(),
  },
  'a table with `lessons`, `recall` or `expire`',
);
