// How events are written to a reader who is slow, quiet or gone, over real sockets.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SseWriter } from '../../../../client/http/stream/sse-writer.ts';

/** A reader, and the writer that writes to it. */
async function connect(pace: { ping: number; stuck: number }): Promise<{ writer: SseWriter; reader: IncomingMessage }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const arrival = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => undefined);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const [, response] = await arrival;
  const writer = new SseWriter(response, pace);
  const [reader] = await answered;
  reader.on('error', () => undefined);
  return { writer, reader };
}

const frame = { event: 'rows', data: JSON.stringify('x'.repeat(100_000)) };

test('a reader that takes nothing is cut off, and whoever writes goes on', async () => {
  const { writer } = await connect({ ping: 60_000, stuck: 300 });
  let sent = 0;
  // The kernel takes the first megabytes.
  for (; sent < 1_000 && !writer.signal.aborted; sent += 1) await writer.send(frame);
  expect(writer.signal.aborted).toBe(true);
  expect(sent).toBeLessThan(1_000);
  await writer.end();
});

test('a quiet stream has a comment now and then', async () => {
  const { writer, reader } = await connect({ ping: 50, stuck: 60_000 });
  reader.setEncoding('utf8');
  let text = '';
  reader.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text).toContain(': ping\n\n: ping\n\n');
  expect(text.startsWith('retry: 2000\n\n')).toBe(true);
  await writer.end();
});

test('a reader that has gone ends the writing without an error', async () => {
  const { writer, reader } = await connect({ ping: 60_000, stuck: 60_000 });
  reader.destroy();
  await expect.poll(() => writer.signal.aborted).toBe(true);
  await writer.send(frame);
  await writer.end();
});
