import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { loopback } from './loopback-address.ts';

const tries = 200;

/** A port of this machine that nobody listens on now. */
export async function freePort(host: string = loopback): Promise<number> {
  const { first, last } = workerLimits.server.ports;
  for (let n = 0; n < tries; n++) {
    const port = randomInt(first, last + 1);
    if (await isPortFree(port, host)) return port;
  }
  throw new HeddleError({
    code: 'NO_FREE_PORT',
    message: `No free port between ${first} and ${last} was found in ${tries} tries`,
    where: host,
    hint: 'End programs that listen there, or use a running server by TEMPORAL_ADDRESS.',
  });
}

export function isPortFree(port: number, host: string = loopback): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
