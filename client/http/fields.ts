import { z } from 'zod';

/** A number in a query: whole, and not negative. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number was expected')
  .describe('a whole number')
  .transform(Number);

/** A number in a query between two others. */
export const numberUpTo = (most: number) =>
  wholeNumber.refine((value) => value >= 1 && value <= most, `a number from 1 to ${most} was expected`);

/** `true` or `false` in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** A name or an id of somebody else: the use case says whether there is such a thing. */
export const someName = z.string().min(1).max(200);
