// The findings of `heddle doctor` on who can reach the local service: it asks as a foreign page would.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, onTestFinished } from 'vitest';
import { startWebUiGuard } from '../../../workers/server/web-ui-guard.ts';
import { checkReach } from '../../../workers/service/check-reach.ts';

async function webUi(listener: RequestListener): Promise<{ host: string; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

test('finds a guarded Web UI closed to pages, and says what remains open to other users and what to do', async () => {
  const place = await webUi((_request, answer) => answer.end('the list of workflows'));
  const guard = await startWebUiGuard({ host: '127.0.0.1', port: undefined, webUi: () => place });
  onTestFinished(() => guard.close());
  const [pages, users] = await checkReach({ webUi: guard.url });
  expect(pages).toMatchObject({ name: 'web pages', ok: true });
  expect(users?.detail).toContain('every user of this machine');
  expect(users?.hint).toContain('TEMPORAL_ADDRESS');
});

test('finds one that answers foreign pages, one that is broken, and one that is not there', async () => {
  const open = await webUi((_request, answer) => answer.end('welcome'));
  const broken = await webUi((_request, answer) => answer.writeHead(403).end());
  const url = ({ host, port }: { host: string; port: number }): string => `http://${host}:${port}`;
  const [opened] = await checkReach({ webUi: url(open) });
  expect(opened).toMatchObject({ ok: false, detail: 'the Web UI answers a foreign page with 200 instead of 403' });
  const [broke] = await checkReach({ webUi: url(broken) });
  expect(broke).toMatchObject({ ok: false, detail: 'the Web UI answers its own page with 403' });
  const [gone] = await checkReach({ webUi: 'http://127.0.0.1:1' });
  expect(gone).toMatchObject({ ok: false, detail: expect.stringContaining('is not responding') as string });
  expect(gone?.hint).toContain('heddle down');
});
