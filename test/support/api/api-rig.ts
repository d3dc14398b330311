import { createAdaptorServer } from '@hono/node-server';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../../client/http/app/create-app.ts';
import type { AppParts } from '../../../client/http/app-parts.ts';
import type { Identities, Identity, Role } from '../../../client/http/identity.ts';
import { createPorts } from '../../../workers/ports/create-ports.ts';
import type { Rig } from '../rig.ts';

export interface ApiRig {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  parts: AppParts;
  /** Errors that were bugs. */
  bugs: unknown[];
  /** Ends the server with all its connections, and starts another one at another port. */
  restart(): Promise<void>;
  /** Asks for a path below `/api/v1`. */
  ask(method: string, path: string, options?: AskOptions): Promise<Asked>;
}

export interface AskOptions {
  /** A role and, behind a dash, any name: `viewer`, `operator-ana`. Each name has limits of its own. Null sends no token. */
  as?: string | null;
  /** Sent as JSON, or as it is where it is a text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The address that it comes from. */
  from?: string;
}

export interface Asked {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  json: unknown;
}

/** The API as a program calls it, over real sockets, with the worker and the home of the rig. */
export function useApi(
  rig: Pick<Rig, 'client' | 'address' | 'storeFolder'>,
  rules: Partial<AppParts['rules']> = {},
): ApiRig {
  const api = { bugs: [] as unknown[] } as ApiRig;
  let server: ReturnType<typeof createAdaptorServer>;
  beforeAll(async () => {
    const env = { ...process.env, HEDDLE_HOME: dirname(rig.storeFolder), HEDDLE_CONFIG: undefined };
    let port = 0;
    const { client, address } = rig;
    api.parts = {
      endpoint: () => Promise.resolve({ client, address, namespace: 'default', webUi: null, local: true }),
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
    const start = async (): Promise<void> => {
      const app = createApp(api.parts, { log: (error) => api.bugs.push(error) });
      server = createAdaptorServer({ fetch: app.fetch });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
      api.origin = `http://127.0.0.1:${port}`;
    };
    await start();
    api.restart = async () => {
      await stop();
      await start();
    };
    api.ask = (method, path, options) => askServer(`${api.origin}/api/v1${path}`, method, options);
  });
  const stop = async (): Promise<void> => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  afterAll(stop);
  return api;
}

/** One request, with headers that `fetch` does not let a program set, and no waiting for a limit. */
export function askServer(
  url: string,
  method: string,
  { as = 'operator', body, headers = {}, from }: AskOptions = {},
): Promise<Asked> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      {
        method,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer hdl_${as}` }),
          ...(sent === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const isJson = text !== '' && answer.headers['content-type']?.startsWith('application/json') === true;
          const json: unknown = isJson ? JSON.parse(text) : undefined;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
        });
      },
    );
    asking.on('error', reject);
    asking.end(sent);
  });
}

const isRole = (text: string): text is Role => ['viewer', 'decider', 'operator'].includes(text);

/** `hdl_ROLE-NAME`: tokens in files belong to the server, and have tests there. */
function fixedIdentities(): Identities {
  const identityOf = (token: string): Identity | undefined => {
    const [, role = '', name = role] = /^hdl_([a-z]+)(?:-(.+))?$/.exec(token) ?? [];
    return isRole(role) ? { name, role, expiresAt: null } : undefined;
  };
  const issued = new Map<string, Identity>();
  return {
    cookieName: '__Host-heddle-test',
    bearer: (token) => Promise.resolve(identityOf(token)),
    cookie: (value) => Promise.resolve(issued.get(value)),
    openSession: (secret) => {
      const token = 'token' in secret ? secret.token : `hdl_${secret.code}`;
      const identity = identityOf(token);
      if (identity === undefined) return Promise.resolve(undefined);
      const cookie = createHash('sha256').update(token).digest('hex');
      issued.set(cookie, identity);
      return Promise.resolve({ identity, cookie, maxAgeS: 60 });
    },
  };
}
