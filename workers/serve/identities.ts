import { sha256 } from '../../activities/system/hash-file.ts';
import { rootOfStore } from '../../activities/home/home-layout.ts';
import type { Identities, Identity, OpenedSession, TokenLook } from '../../client/http/identity.ts';
import type { Role } from '../../domain/types/basic/role.ts';
import type { HeddleHome } from '../home/home.ts';
import { isLoopback, type ServerSettings } from '../settings/server-settings.ts';
import { homeKey } from './home-key.ts';
import { CodeTaker } from './one-time-code.ts';
import { openCookie, sealCookie } from './session-cookie.ts';
import { isValid, TokensReader } from './tokens-file.ts';

const hour = 60 * 60_000;

/** How long a browser is let in: by a token, and by the home's own key. */
const sessionFor = { token: 12 * hour, homeKey: 30 * 24 * hour };

interface IdentitiesOptions {
  home: Pick<HeddleHome, 'run' | 'store'>;
  settings: Pick<ServerSettings, 'host' | 'local' | 'tokensFile'>;
  /** The user of this machine, as whom the home's own key works. */
  user: string;
  /** Names the process that takes codes. */
  audience: string;
  /** Called for each use of a token. */
  onUse: (sha256: string) => void;
}

/** Somebody who is let in, by the hash of a token. */
interface Entry {
  name: string;
  role: Role;
  sha256: string;
  expiresAt: string | undefined;
  sessionFor: number;
}

/** Recognises tokens of the file and the home's own key. The key counts only while nobody else's machine can reach the server. */
export function createIdentities({ home, settings, user, audience, onUse }: IdentitiesOptions): Identities {
  const key = homeKey(home);
  const reader = new TokensReader(settings.tokensFile);
  const codes = new CodeTaker(key, audience);
  const { local } = settings;
  const own: Entry | undefined =
    local === 'none' || !isLoopback(settings.host)
      ? undefined
      : { name: user, role: local, sha256: sha256(key), expiresAt: undefined, sessionFor: sessionFor.homeKey };

  const find = (hash: string): Entry | undefined => {
    if (hash === own?.sha256) return own;
    const token = reader.read().find((entry) => entry.sha256 === hash && isValid(entry));
    if (token === undefined) return undefined;
    const { name, role, expiresAt } = token;
    return { name, role, sha256: hash, expiresAt, sessionFor: sessionFor.token };
  };
  const take = (hash: string, { isUse }: TokenLook): Entry | undefined => {
    const entry = find(hash);
    if (entry !== undefined && isUse) onUse(entry.sha256);
    return entry;
  };

  return {
    cookieName: `__Host-heddle-${sha256(rootOfStore(home.store)).slice(0, 16)}`,
    bearer: (token, look = { isUse: true }) =>
      soon(() => {
        const entry = take(sha256(token), look);
        return entry === undefined ? undefined : toIdentity(entry);
      }),
    cookie: (value, look = { isUse: true }) =>
      soon(() => {
        const claims = openCookie(key, value);
        const entry = claims === undefined ? undefined : take(claims.token, look);
        if (claims === undefined || entry?.name !== claims.name || entry.role !== claims.role) return undefined;
        return toIdentity(entry, claims.expires);
      }),
    openSession: (secret) =>
      soon(() => {
        const entry = 'code' in secret ? (codes.take(secret.code) ? own : undefined) : find(sha256(secret.token));
        return entry === undefined ? undefined : openSession(key, entry);
      }),
  };
}

/** Runs the action in a moment: an error of it rejects the promise. */
const soon = <T>(action: () => T): Promise<T> => Promise.resolve().then(action);

function openSession(key: string, entry: Entry): OpenedSession {
  const { name, role, sha256: token } = entry;
  const identity = toIdentity(entry, Date.now() + entry.sessionFor);
  const expires = Date.parse(identity.expiresAt ?? '');
  const cookie = sealCookie(key, { name, role, token, expires });
  return { identity, cookie, maxAgeS: Math.floor((expires - Date.now()) / 1000) };
}

/** A session ends with its token. */
function toIdentity({ name, role, expiresAt }: Entry, sessionUntil?: number): Identity {
  const ends = [
    ...(expiresAt === undefined ? [] : [Date.parse(expiresAt)]),
    ...(sessionUntil === undefined ? [] : [sessionUntil]),
  ];
  return { name, role, expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString() };
}
