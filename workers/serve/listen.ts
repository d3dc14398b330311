import type { Server } from 'node:http';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { freePort } from '../server/free-port.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

type Wished = Pick<ServerSettings, 'host' | 'port' | 'isPortGiven'>;

/** Listens at the port that was asked for by name, else at the one that this home had before, else at any. Resolves to the port. */
export async function listen(server: Server, { host, port, isPortGiven }: Wished, kept?: number): Promise<number> {
  if (isPortGiven) return listenAt(server, host, port);
  for (let tries = 0, wished = kept ?? port; ; tries++) {
    try {
      return await listenAt(server, host, wished);
    } catch (error) {
      if (tries === workerLimits.server.startTries) throw error;
      wished = await freePort(host);
    }
  }
}

function listenAt(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(notListening(host, port, error));
    server.once('error', failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', failed);
      resolve(port);
    });
  });
}

const notListening = (host: string, port: number, error: Error): HeddleError =>
  new HeddleError({
    code: 'ADDRESS_TAKEN',
    message: `The API cannot listen at ${formatAuthority(host, port)}: ${formatReason(error)}`,
    where: '--host and --port, or [server]',
    hint: 'End what listens there, or name another port with `--port` or `server.port`.',
  });

function formatReason(error: Error): string {
  if (systemCode(error) === 'EADDRINUSE') return 'another program listens there';
  if (systemCode(error) === 'EADDRNOTAVAIL') return 'this machine has no such address';
  return error.message;
}

/** An address with its port, as the Host header has it. */
export const formatAuthority = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
