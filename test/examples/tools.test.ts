// The tool files of `examples/tools` as agents call them: served in the sandbox, against a service on the loopback address.
import { createServer } from 'node:http';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { listTools } from '../../activities/mcp/tool-lists.ts';
import { ServerConnections } from '../../activities/mcp/server-connections.ts';
import { toOutcome } from '../../activities/mcp/to-outcome.ts';
import { completeToolFile } from '../../domain/config/servers.ts';
import { makePlace, never } from '../activities/mcp/support.ts';

const folder = fileURLToPath(new URL('../../examples/tools', import.meta.url));

test('the web search asks its service with the key, and lists what it found', async () => {
  const queries: string[] = [];
  const service = createServer((request, response) => {
    queries.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    const results = [
      { title: 'Heddles', url: 'https://example.org/heddles', snippet: 'of looms' },
      { title: 'T', url: 'u' },
    ];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await new Promise((resolve) => service.once('listening', resolve));
  const { port } = service.address() as AddressInfo;
  const place = await makePlace({ SEARCH_URL: `http://127.0.0.1:${port}/search`, SEARCH_KEY: 'key-1' });
  const tools = { env: ['SEARCH_URL', 'SEARCH_KEY'], network: true };
  // Without a network of its own a program shares the machine's, where the service is.
  const server = { ...completeToolFile(join(folder, 'web-search.ts'), { tools }), sandbox: false };
  const list = await listTools(server, place, { signal: never });
  expect(list.tools).toMatchObject([{ name: 'web_search', hints: { readOnly: true } }]);
  const connections = new ServerConnections([server], place);
  onTestFinished(() => connections.close());
  const call = async (args: Record<string, unknown>) =>
    toOutcome(await connections.call(server.name, { tool: 'web_search', args, key: 'k', signal: never }));
  expect(await call({ query: 'what is a heddle', count: 1 })).toEqual({
    ok: true,
    text: 'Heddles\nhttps://example.org/heddles\nof looms',
  });
  expect(queries).toEqual(['/search?q=what+is+a+heddle&count=1 Bearer key-1']);
  expect(await call({ query: '' })).toMatchObject({ ok: false });
});

test('the deployment says whether it took effect', async () => {
  const place = await makePlace();
  const server = completeToolFile(join(folder, 'deploy.ts'), {});
  const connections = new ServerConnections([server], place);
  onTestFinished(() => connections.close());
  const call = async (tool: string, key: string) =>
    toOutcome(await connections.call(server.name, { tool, args: { to: 'staging' }, key, signal: never })).text;
  expect(await call('deploy/settle', 'task/1')).toBe('not-done');
  expect(await call('deploy', 'task/1')).toBe('Deployed to staging.');
  expect(await call('deploy/settle', 'task/1')).toBe('done');
  expect(await call('deploy/settle', 'task/2')).toBe('not-done');
  expect(readdirSync(join(place.workspace, 'deployments'))).toHaveLength(1);
});
