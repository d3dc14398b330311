// Servers of tools with an address: tokens, redirects, and connections that break off.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ServerConnections } from '../../../activities/mcp/server-connections.ts';
import { listTools } from '../../../activities/mcp/tool-lists.ts';
import { toOutcome } from '../../../activities/mcp/to-outcome.ts';
import type { ToolServer } from '../../../domain/types/basic/tool-server.ts';
import { makePlace, never, serverIn } from './support.ts';

interface HeardRequest {
  method: string;
  token: string | undefined;
}

type Answer = (response: ServerResponse, id: unknown) => void;

const reply = (response: ServerResponse, id: unknown, result: object): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
};

const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });
const tool = {
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

/** A server over HTTP; `onCall` answers the calls, `refuses` turns sessions away. */
async function serveHttp(onCall: Answer, refuses: (session: string) => boolean = () => false) {
  const requests: HeardRequest[] = [];
  let sessions = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(pieces).toString()) as {
      id?: unknown;
      method: string;
      params?: { protocolVersion?: string };
    };
    requests.push({ method, token: request.headers.authorization });
    const session = String(request.headers['mcp-session-id'] ?? '');
    if (session !== '' && refuses(session)) return void response.writeHead(400).end('no such session');
    if (id === undefined) return void response.writeHead(202).end();
    switch (method) {
      case 'initialize':
        response.setHeader('mcp-session-id', `s${(sessions += 1)}`);
        return reply(response, id, {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'http', version: '1' },
        });
      case 'tools/list':
        return reply(response, id, { tools: [tool] });
      case 'tools/call':
        return onCall(response, id);
      default:
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    }
  };
  const http = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { requests, http, url };
}

const serverAt = (url: string, given: Partial<ToolServer> = {}): ToolServer => ({
  ...serverIn('http'),
  via: { kind: 'http', url, tokenEnv: 'SERVER_TOKEN' },
  ...given,
});

const look = { tool: 'look', args: {}, key: 'k', signal: never };

async function connect(url: string, given: Partial<ToolServer> = {}) {
  const place = await makePlace({ SERVER_TOKEN: 'abc' });
  const server = serverAt(url, given);
  const connections = new ServerConnections([server], place);
  onTestFinished(() => connections.close());
  return { place, server, connections };
}

test('a server with an address is listed and called with its token', async () => {
  const { url, requests } = await serveHttp((response, id) => reply(response, id, textResult('from afar')));
  const { place, server, connections } = await connect(url);
  expect((await listTools(server, place, { signal: never })).tools.map(({ name }) => name)).toEqual(['look']);
  expect(toOutcome(await connections.call('test', look)).text).toBe('from afar');
  expect(requests.map(({ method }) => method)).toContain('tools/call');
  expect(new Set(requests.map(({ token }) => token))).toEqual(new Set(['Bearer abc']));
});

test('a redirect is refused, and the token goes nowhere', async () => {
  const other = await serveHttp((response, id) => reply(response, id, textResult('caught')));
  const redirecting = createServer((_, response) => response.writeHead(307, { location: other.url }).end());
  redirecting.listen(0, '127.0.0.1');
  await new Promise((resolve) => redirecting.once('listening', resolve));
  onTestFinished(() => void redirecting.close());
  const { place, server } = await connect(`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/mcp`);
  await expect(listTools(server, place, { signal: never })).rejects.toThrow('redirect');
  expect(other.requests).toEqual([]);
});

test('a server that nobody serves, and a token that is not set, say so', async () => {
  const { place, server } = await connect('http://127.0.0.1:9/mcp');
  await expect(listTools(server, place, { signal: never })).rejects.toThrow(/ECONNREFUSED|bad port|fetch failed/);
  const nameless = serverAt('http://127.0.0.1:9/mcp', {
    via: { kind: 'http', url: 'http://127.0.0.1:9', tokenEnv: 'ABSENT' },
  });
  await expect(listTools(nameless, place, { signal: never })).rejects.toThrow('the variable ABSENT is not set');
});

test('a connection that breaks off in a call is lost at once, not at its time limit', async () => {
  const { url } = await serveHttp((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': begun\n\n');
    setTimeout(() => response.destroy(), 200);
  });
  const { connections } = await connect(url);
  const begun = performance.now();
  await expect(connections.call('test', look)).rejects.toMatchObject({ kind: 'lost' });
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('an answer above 8 MB ends the connection', async () => {
  const { url } = await serveHttp((response, id) => reply(response, id, textResult('x'.repeat(20_000_000))));
  const { connections } = await connect(url);
  await expect(connections.call('test', look)).rejects.toMatchObject({
    kind: 'lost',
    message: expect.stringContaining('at once') as unknown,
  });
});

test('a server that was restarted loses one call, and the next one has a new session', async () => {
  const ended = new Set<string>();
  const { url } = await serveHttp(
    (response, id) => reply(response, id, textResult('again')),
    (session) => ended.has(session),
  );
  const { connections } = await connect(url);
  expect(toOutcome(await connections.call('test', look)).text).toBe('again');
  ended.add('s1');
  await expect(connections.call('test', look)).rejects.toMatchObject({ kind: 'lost' });
  expect(toOutcome(await connections.call('test', look)).text).toBe('again');
});
