import { createAdaptorServer } from '@hono/node-server';
import type { ConnectionOptions } from '@temporalio/client';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Identity } from '../../client/http/identity.ts';
import { createApp } from '../../client/http/app/create-app.ts';
import { HeddleClient } from '../../client/index.ts';
import { createPorts } from '../../workers/ports/create-ports.ts';
import { taskQueue } from '../names.ts';

/*
 * The API in a process of its own, so that its memory and CPU are its own. It tells its address, and, asked by any message, what it has
 * asked the server so far and what is left in memory after a collection.
 */

/** The process's answer to a look at it. */
export interface ApiFigures {
  calls: number;
  heapBytes: number;
}

const [address = ''] = process.argv.slice(2);
let calls = 0;
type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

const count: Interceptor = (options, next) => {
  calls += 1;
  return next(options) as ReturnType<Interceptor>;
};
const client = await HeddleClient.connect({ address, interceptors: [count] }, { taskQueue });
const endpoint = { client, address, namespace: 'default', webUi: null, local: true };
/** Each reader has a name of its own: a name may have 20 streams. */
const identify = (token: string): Promise<Identity> =>
  Promise.resolve({ name: token, role: 'viewer', expiresAt: null });
let origin = '';
const app = createApp(
  {
    endpoint: () => Promise.resolve(endpoint),
    ports: createPorts(process.env),
    identities: {
      cookieName: 'bench',
      bearer: identify,
      cookie: identify,
      openSession: () => Promise.resolve(undefined),
    },
    ownAddresses: () => ({ hosts: [new URL(origin).host], origins: [origin], console: origin }),
    home: {
      version: 'bench',
      startedAt: new Date().toISOString(),
      freeBytes: () => Promise.resolve(null),
      secret: Buffer.alloc(32),
    },
    rules: { workspaces: [] },
  },
  { log: console.error },
);
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.on('message', () => {
  globalThis.gc?.();
  const figures: ApiFigures = { calls, heapBytes: process.memoryUsage().heapUsed };
  process.send?.(figures);
});
process.send?.(origin);
