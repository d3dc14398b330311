import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Answer of the service to one request. */
export interface Played {
  status?: number;
  headers?: Record<string, string>;
  pieces?: readonly (string | Uint8Array)[];
  /** `cut`: the connection is gone after the pieces; `open`: nothing more comes, and it stays. */
  end?: 'whole' | 'cut' | 'open';
}

export interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

export interface ModelServer {
  url: string;
  received: Received[];
  /** Connections that were ended by the other side before they were answered. */
  left: () => number;
}

/** A service on the loopback address that answers as it is told, and remembers what it was asked. */
export async function serveModel(
  play: (request: Received, index: number) => Played | Promise<Played>,
): Promise<ModelServer> {
  const received: Received[] = [];
  let left = 0;
  const server = createServer((incoming, outgoing) => {
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) left += 1;
    });
    void (async () => {
      const text = Buffer.concat(await incoming.toArray()).toString();
      const body = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      received.push(request);
      const { status = 200, headers = {}, pieces = [], end = 'whole' } = await play(request, received.length - 1);
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
      outgoing.flushHeaders();
      for (const piece of pieces) outgoing.write(piece);
      if (end === 'whole') outgoing.end();
      if (end === 'cut') outgoing.socket?.destroySoon();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, left: () => left };
}
