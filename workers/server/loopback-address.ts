import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { workerLimits } from '../limits/worker-limits.ts';

/** The one address that every system has, and the only one at which the dev server's own parts find each other. */
export const loopback = '127.0.0.1';

/**
 * An address of this machine that a web page cannot guess: the wished one if it can still be used, else a random one of 127.0.0.0/8,
 * else 127.0.0.1 (macOS has no other).
 */
export async function secludedAddress(wished: string | undefined, notThis?: string): Promise<string> {
  if (wished !== undefined && wished !== notThis && (await canListenOn(wished))) return wished;
  for (let n = 0; n < workerLimits.guard.addressTries; n++) {
    const address = randomAddress();
    if (address !== notThis && (await canListenOn(address))) return address;
  }
  return loopback;
}

/** Not in 127.0.0.0/16: resolvers and other tools sit there on fixed addresses. */
function randomAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
}

function canListenOn(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port: 0, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
