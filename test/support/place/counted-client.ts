import type { ConnectionOptions } from '@temporalio/client';
import { onTestFinished } from 'vitest';
import { HeddleClient, type HeddleClientOptions } from '../../../client/index.ts';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

export interface CountedClient {
  client: HeddleClient;
  /** Calls of each method of the server so far. */
  calls: Map<string, number>;
}

/** A client on a connection of its own that counts its calls, whatever part of the client makes them. */
export async function connectCounted(address: string, options: HeddleClientOptions): Promise<CountedClient> {
  const calls = new Map<string, number>();
  const count: Interceptor = (call, next) => {
    const method = call.method_definition.path.replace(/^.*\//, '');
    calls.set(method, (calls.get(method) ?? 0) + 1);
    return next(call) as ReturnType<Interceptor>;
  };
  const client = await HeddleClient.connect({ address, interceptors: [count] }, options);
  onTestFinished(() => client.close());
  return { client, calls };
}
