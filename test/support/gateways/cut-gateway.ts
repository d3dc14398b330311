import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CutGateway {
  address: string;
  /** Ends all connections: the server knows at once that nobody is there, instead of after its long polls. */
  cut(): void;
}

/** A way to a server that can be cut, and is open again for whoever connects later. */
export async function openCutGateway(target: string): Promise<CutGateway> {
  const [host = '', port = ''] = target.split(':');
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}
