import { randomBytes } from 'node:crypto';
import { createApp } from '../http/app/create-app.ts';
import type { AppParts } from '../http/app-parts.ts';
import type { Identity } from '../http/identity.ts';

/** A request to the API of this process. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  /** Below `/api/v1`, encoded. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  accept?: string;
}

export interface ApiAnswer {
  ok: boolean;
  /** The JSON of the answer; undefined for another type. */
  json: unknown;
  text: string;
}

/** Asks the API as somebody. */
export type CallApi = (identity: Identity, request: ApiRequest) => Promise<ApiAnswer>;

/** The name under which the API of this process answers. It listens nowhere. */
const host = 'heddle.invalid';

/**
 * The API without a socket: what a tool asks for passes the same routes, roles and checks as a request by HTTP. Each
 * call has a token of its own, which only this process knows.
 */
export function createCaller(parts: Omit<AppParts, 'identities'>, log: (error: unknown) => void): CallApi {
  const callers = new Map<string, Identity>();
  const { ownAddresses } = parts;
  const app = createApp(
    {
      ...parts,
      ownAddresses: () => ({ ...ownAddresses(), hosts: [host] }),
      identities: {
        cookieName: 'none',
        bearer: (token) => Promise.resolve(callers.get(token)),
        cookie: () => Promise.resolve(undefined),
        openSession: () => Promise.resolve(undefined),
      },
    },
    { log },
  );
  return async (identity, { method, path, query = {}, body, accept = 'application/json' }) => {
    const url = new URL(`http://${host}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const token = randomBytes(32).toString('hex');
    const headers = {
      accept,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = new Request(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const incoming = { url: `${url.pathname}${url.search}`, headers: { ...headers, host }, socket: {} };
    callers.set(token, identity);
    const response = await app.fetch(request, { incoming, outgoing: { headersSent: false } });
    callers.delete(token);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { ok: response.ok, json, text };
  };
}
