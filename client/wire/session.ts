import { z } from 'zod';

/** The roles of the API. Each may do all that the one before it may. */
export const roles = ['viewer', 'decider', 'operator'] as const;

export const role = z.enum(roles);

/** A viewer looks, a decider answers and steers, an operator starts and ends tasks. */
export type Role = z.infer<typeof role>;

/** The person or program behind a token or a cookie. */
export const me = z.strictObject({
  name: z.string(),
  role,
  expiresAt: z.iso.datetime().nullable(),
  version: z.string(),
});

export type Me = z.infer<typeof me>;
