import { connect, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Gateway {
  address: string;
  /** Values of the header `authorization` that came. */
  keys: Set<string>;
}

/** TLS before the tests' server, as a cloud has it: passes all calls on, and notes the keys that they carry. */
export async function startGateway(target: string, tls: { key: string; cert: string }): Promise<Gateway> {
  const upstream = connect(`http://${target}`);
  const keys = new Set<string>();
  const server = createSecureServer({ ...tls, ALPNProtocols: ['h2'] });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    keys.add(String(headers.authorization));
    const call = upstream.request({ ...headers, ':scheme': 'http' });
    let trailers: IncomingHttpHeaders = {};
    for (const side of [stream, call]) side.on('error', () => undefined);
    stream.on('close', () => call.close());
    stream.on('wantTrailers', () => stream.sendTrailers(withoutPseudo(trailers)));
    call.on('trailers', (told: IncomingHttpHeaders) => (trailers = told));
    call.on('response', (told) => {
      if (stream.destroyed) return;
      stream.respond({ ...withoutPseudo(told), ':status': told[':status'] ?? 200 }, { waitForTrailers: true });
      call.pipe(stream);
    });
    stream.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  onTestFinished(() => {
    upstream.destroy();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

const withoutPseudo = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
