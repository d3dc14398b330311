import { roles, type Role } from '../wire/session.ts';

export type { Role };

/** True where a role may do what another one may. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

/** Somebody who was recognised: `name` is told as the one who answered, steered or started. */
export interface Identity {
  name: string;
  role: Role;
  expiresAt: string | null;
}

/** A browser that was let in: the value of its cookie, and for how long it holds. */
export interface OpenedSession {
  identity: Identity;
  cookie: string;
  maxAgeS: number;
}

/** Why a token is looked at. */
export interface TokenLook {
  /** An open stream looks again and again whether its token still holds: that is no use of it. */
  isUse: boolean;
}

/**
 * Recognises people and programs. An unknown, revoked or expired secret is undefined; where the file of tokens cannot be read, every
 * method rejects with `TOKENS_UNREADABLE`.
 */
export interface Identities {
  /** The name of the session's cookie: servers on other ports of the host have others. */
  readonly cookieName: string;
  bearer(token: string, look?: TokenLook): Promise<Identity | undefined>;
  cookie(value: string, look?: TokenLook): Promise<Identity | undefined>;
  /** Trades a token, or a code that is good once, for a session. */
  openSession(secret: { token: string } | { code: string }): Promise<OpenedSession | undefined>;
}
