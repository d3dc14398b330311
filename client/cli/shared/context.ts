import type { Output } from './output.ts';
import type { Endpoint } from '../../ports/service.ts';
import type { Ports } from '../../ports/ports.ts';

/** The ports and the output that every command is given. */
export interface Context {
  ports: Ports;
  output: Output;
}

/** Connects, starting the local service where that is needed, and closes the connection afterwards. */
export async function withEndpoint<T>(
  { ports, output }: Context,
  action: (endpoint: Endpoint) => Promise<T>,
  { anyVersion = false }: { anyVersion?: boolean } = {},
): Promise<T> {
  const endpoint = await ports.connect({ progress: (text) => output.note(text), anyVersion });
  try {
    return await action(endpoint);
  } finally {
    await endpoint.client.close();
  }
}
