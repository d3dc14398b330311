import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import { checkUrl } from '../../../activities/web/check-url.ts';
import { fetchUrl, type Fetched, type FetchOptions } from '../../../activities/web/fetch-url.ts';
import type { Dial } from '../../../activities/web/guarded-agent.ts';
import { nameServers, type Names } from './recording.ts';

/** Answers a request of `HOST/path`. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web of one loopback server: every public address leads to it, and what was dialled is kept. */
export interface WebRig {
  port: number;
  folder: string;
  requests: string[];
  dialled: string[];
  fetch: (url: string, options?: Partial<FetchOptions>) => Promise<Fetched | string>;
  options: Pick<FetchOptions, 'servers' | 'dial' | 'path' | 'mayFollow' | 'internal' | 'signal'>;
}

export async function openWeb(handler: Handler, names: Names = {}): Promise<WebRig> {
  const requests: string[] = [];
  const dialled: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const folder = mkdtempSync(join(tmpdir(), 'heddle-web-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const dial: Dial = ({ hostname }, callback) => {
    dialled.push(hostname);
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => callback(null, socket));
    socket.once('error', (error) => callback(error, null));
  };
  const servers = nameServers({ 'a.example': [['93.184.216.34']], 'b.example': [['93.184.216.35']], ...names });
  const options = {
    ...{ servers, dial, path: join(folder, 'body'), internal: [] as string[] },
    mayFollow: () => true,
    signal: new AbortController().signal,
  };
  return {
    ...{ port, folder, requests, dialled, options },
    fetch: async (url, changes = {}) => {
      const whole = { ...options, ...changes };
      const checked = checkUrl(url, undefined, whole.internal);
      return typeof checked === 'string' ? checked : fetchUrl(checked, whole);
    },
  };
}
