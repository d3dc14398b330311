import type { Role } from '../../domain/types/basic/role.ts';

/** A name that may call the API. */
export interface TokenListing {
  name: string;
  role: Role;
  createdAt: string;
  /** Null for a token that does not expire. */
  expiresAt: string | null;
  /** To the minute; null for one that was never used with this home. */
  lastUsedAt: string | null;
}

/** A token that was just made: it is kept nowhere, so it is shown once. */
export interface NewToken {
  name: string;
  role: Role;
  token: string;
  expiresAt: string | null;
}

/** The names that may call the API of this machine. */
export interface TokensPort {
  /** Throws `TOKEN_EXISTS` for a name that has one. `expires` is in milliseconds from now. */
  addToken(options: { name: string; role: Role; expires?: number }): Promise<NewToken>;
  listTokens(): Promise<TokenListing[]>;
  /** Throws `TOKEN_NOT_FOUND`. It is refused from the next request on, and with it the sessions that it opened. */
  revokeToken(name: string): Promise<void>;
}
