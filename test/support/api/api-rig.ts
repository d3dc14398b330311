import { createAdaptorServer } from '@hono/node-server';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../../client/http/app/create-app.ts';
import type { AppParts } from '../../../client/http/app-parts.ts';
import type { Identities, Identity } from '../../../client/http/identity.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import type { Rig } from '../rig.ts';

/** Tokens by the name of who has them. */
export const tokens = {
  viewer: 'hdl_viewer',
  decider: 'hdl_decider',
  operator: 'hdl_operator',
  ana: 'hdl_ana',
} as const;

export interface ApiRig {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  parts: AppParts;
  /** Errors that were bugs. */
  bugs: unknown[];
  ask(method: string, path: string, options?: AskOptions): Promise<Asked>;
}

export interface AskOptions {
  /** The person whose token is sent; the operator by default, null for nobody. */
  as?: keyof typeof tokens | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Asked {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** The API as a program calls it, over real sockets, with the worker and the home of the rig. */
export function useApi(rig: Rig, rules: Partial<AppParts['rules']> = {}): ApiRig {
  const api = { bugs: [] as unknown[] } as ApiRig;
  let server: ReturnType<typeof createAdaptorServer>;
  beforeAll(async () => {
    const env = { ...process.env, HEDDLE_HOME: dirname(rig.storeFolder), HEDDLE_CONFIG: undefined };
    let port = 0;
    api.parts = {
      endpoint: () =>
        Promise.resolve({
          client: rig.client,
          address: rig.address,
          namespace: 'default',
          webUi: null,
          local: true,
        }),
      ports: createPorts(env),
      identities: fixedIdentities(),
      ownAddresses: () => ({
        hosts: [`127.0.0.1:${port}`],
        origins: [`http://127.0.0.1:${port}`],
        console: `http://127.0.0.1:${port}`,
      }),
      home: {
        version: '0.0.0-test',
        startedAt: new Date().toISOString(),
        freeBytes: () => Promise.resolve(1),
        secret: Buffer.alloc(32, 1),
      },
      rules: { workspaces: [], ...rules },
    };
    const app = createApp(api.parts, { log: (error) => api.bugs.push(error) });
    server = createAdaptorServer({ fetch: app.fetch });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    api.origin = `http://127.0.0.1:${port}`;
    api.ask = (method, path, options) => ask(api.origin, method, path, options);
  });
  afterAll(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return api;
}

async function ask(
  origin: string,
  method: string,
  path: string,
  { as = 'operator', body, headers = {} }: AskOptions = {},
): Promise<Asked> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await answer.text();
  const isJson = text !== '' && answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Fixed tokens: those in files belong to the server, and have tests there. */
function fixedIdentities(): Identities {
  const identityOf = new Map<string, Identity>([
    [tokens.viewer, { name: 'viewer', role: 'viewer', expiresAt: null }],
    [tokens.decider, { name: 'decider', role: 'decider', expiresAt: null }],
    [tokens.operator, { name: 'operator', role: 'operator', expiresAt: null }],
    [tokens.ana, { name: 'ana', role: 'operator', expiresAt: null }],
  ]);
  const cookieOf = (token: string): string => createHash('sha256').update(token).digest('hex');
  return {
    cookieName: '__Host-heddle-test',
    bearer: (token) => Promise.resolve(identityOf.get(token)),
    cookie: (value) => Promise.resolve([...identityOf].find(([token]) => cookieOf(token) === value)?.[1]),
    openSession: (secret) => {
      const identity = 'token' in secret ? identityOf.get(secret.token) : undefined;
      if (identity === undefined || !('token' in secret)) return Promise.resolve(undefined);
      return Promise.resolve({ identity, cookie: cookieOf(secret.token), maxAgeS: 60 });
    },
  };
}
