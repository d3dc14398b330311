import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Identities, Identity, TokenLook } from '../identity.ts';

/** Recognises who sends a request, by its token, else by its cookie; undefined where neither is known. */
export async function recognise(
  identities: Identities,
  c: Context,
  look: TokenLook = { isUse: true },
): Promise<Identity | undefined> {
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
    return token === undefined ? undefined : identities.bearer(token, look);
  }
  const cookie = getCookie(c, identities.cookieName);
  return cookie === undefined ? undefined : identities.cookie(cookie, look);
}

/** The same refusal for a token that is unknown, revoked or expired: it tells nobody which. */
export const notRecognised = (): HeddleError =>
  new HeddleError({
    code: 'AUTH_REQUIRED',
    message: 'The request has no valid token',
    hint: 'Send `Authorization: Bearer hdl_...`, or sign in with `heddle open`.',
  });
