// Closing a connection while a call is in flight: the call fails, and nothing throws where nobody can catch it.
import { createServer } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HeddleClient } from '../../../client/sdk/heddle-client.ts';

/** A server that answers the first call, which is how a client connects, and leaves the others without an answer. */
async function silentServer(): Promise<{ address: string; calls: () => number }> {
  let calls = 0;
  const server = createServer();
  server.on('stream', (stream) => {
    calls += 1;
    stream.on('error', () => undefined);
    if (calls > 1) return;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

test('a call that is in flight when the client closes fails once and is not tried again', async () => {
  const { address, calls } = await silentServer();
  const client = await HeddleClient.connect({ address });
  const failed = client
    .task('t1')
    .activity()
    .then(
      () => 'answered',
      () => 'failed',
    );
  while (calls() < 2) await sleep(5);
  await client.close();
  const closed = Date.now();
  expect(await failed).toBe('failed');
  expect(Date.now() - closed).toBeLessThan(2_000);
  // The retries of the Temporal client begin after 0.2 s; an exception from one would fail this test.
  await sleep(600);
  expect(calls()).toBe(2);
});
