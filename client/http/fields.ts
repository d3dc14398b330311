import { z } from 'zod';

/** A number in a query: whole, and not negative. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number was expected')
  .transform(Number);

/** A name or an id of somebody else: the use case says whether there is such a thing. */
export const someName = z.string().min(1).max(200);
