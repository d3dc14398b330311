import { z } from 'zod';
import { roles, type Role } from '../../domain/types/basic/role.ts';

export { roles, type Role };

export const role = z.enum(roles);

/** The person or program behind a token or a cookie. */
export const me = z.strictObject({
  name: z.string(),
  role,
  expiresAt: z.iso.datetime().nullable(),
  version: z.string(),
});

export type Me = z.infer<typeof me>;
