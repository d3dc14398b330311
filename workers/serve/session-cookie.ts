import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { roles } from '../../domain/types/basic/role.ts';
import { sign } from './home-key.ts';

const claims = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  /** The hash of the token that opened the session, which ends with it. */
  token: z.string(),
  /** Milliseconds. */
  expires: z.number(),
});

/** The content of a session's cookie. It is signed, so that nobody else can make one. */
export type SessionClaims = z.infer<typeof claims>;

const purpose = 'cookie';

export function sealCookie(key: string, session: SessionClaims): string {
  const body = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `${body}.${sign(key, purpose, body)}`;
}

/** Undefined for what this home did not sign, and for what has expired. */
export function openCookie(key: string, value: string): SessionClaims | undefined {
  const [body = '', signature = '', ...rest] = value.split('.');
  if (rest.length > 0 || !isSame(signature, sign(key, purpose, body))) return undefined;
  const parsed = claims.safeParse(tryParseJson(Buffer.from(body, 'base64url').toString()));
  return parsed.success && parsed.data.expires > Date.now() ? parsed.data : undefined;
}

/** Compares in a time that does not tell where two texts differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
