import { Agent, createServer, request, type Server } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { PayloadCodec } from '@temporalio/common';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { freePort, isPortFree } from './free-port.ts';
import { refusal } from './guard-rules.ts';
import { isForCodec, serveCodec } from './serve-codec.ts';

interface HostPort {
  host: string;
  port: number;
}

export interface GuardOptions {
  host: string;
  /** Wished: used when it is free, another one otherwise. */
  port: number | undefined;
  /** The address of the Web UI itself, as soon as it listens. */
  webUi: () => HostPort | undefined;
  /** Opens payloads for the Web UI, below `codecPath`. */
  codec?: PayloadCodec | undefined;
}

export interface WebUiGuard extends HostPort {
  /** The address for people. */
  url: string;
  close(): Promise<void>;
}

/**
 * Guards Temporal's Web UI, which answers every Host and hands its CSRF token to every caller: passes on only what a person's own
 * browser asks for at this very address.
 */
export async function startWebUiGuard({ host, port: wished, webUi, codec }: GuardOptions): Promise<WebUiGuard> {
  const agent = new Agent({ keepAlive: true, maxSockets: workerLimits.guard.connections });
  const server = createServer({ requireHostHeader: true }, (incoming, answer) => {
    const authority = `${host}:${port}`;
    const why = refusal(incoming, authority);
    const place = webUi();
    if (why !== undefined) refuse(answer, why, authority);
    else if (codec !== undefined && isForCodec(incoming))
      void serveCodec(incoming, answer, codec).catch(() => answer.destroy());
    else if (place === undefined) respondUnavailable(answer);
    else passOn({ incoming, answer, webUi: place, agent });
  });
  server.maxConnections = workerLimits.guard.connections;
  server.headersTimeout = workerLimits.guard.request;
  server.requestTimeout = workerLimits.guard.request;
  // The Web UI uses neither, and what is upgraded is no longer looked at.
  server.on('upgrade', (_incoming, socket) => socket.destroy());
  server.on('connect', (_incoming, socket) => socket.destroy());
  let port = wished !== undefined && (await isPortFree(wished, host)) ? wished : await freePort(host);
  for (let tries = 1; !(await listen(server, { host, port })); tries++) {
    if (tries === workerLimits.server.startTries) throw cannotListen({ host, port });
    port = await freePort(host);
  }
  return {
    host,
    port,
    url: `http://${host}:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

function listen(server: Server, place: HostPort): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = (): void => resolve(false);
    server.once('error', failed);
    server.listen({ ...place, exclusive: true }, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

interface ProxiedRequest {
  incoming: IncomingMessage;
  answer: ServerResponse;
  webUi: HostPort;
  agent: Agent;
}

function passOn({ incoming, answer, webUi, agent }: ProxiedRequest): void {
  const { method, url } = incoming;
  const headers = { ...endToEnd(incoming.headers), ...ownNames(incoming.headers, webUi) };
  const onward = request({ ...webUi, agent, method, path: url, headers, timeout: workerLimits.guard.answer });
  const fail = (): void => {
    incoming.unpipe(onward);
    if (answer.headersSent) answer.destroy();
    else respondUnavailable(answer);
  };
  onward.once('timeout', () => onward.destroy(new Error('no answer')));
  onward.once('error', fail);
  onward.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
    response.once('error', () => answer.destroy());
    response.pipe(answer);
  });
  // A browser that closed the page does not wait for the answer.
  answer.once('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** Headers that concern one connection only are not handed to the next. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)));
}

/** The Web UI is asked by its own name, as if there were no guard. */
function ownNames({ origin }: IncomingHttpHeaders, { host, port }: HostPort): IncomingHttpHeaders {
  const authority = `${host}:${port}`;
  return { host: authority, ...(origin === undefined ? {} : { origin: `http://${authority}` }) };
}

function refuse(answer: ServerResponse, why: string, authority: string): void {
  const own = `http://${authority}`;
  respond(
    answer,
    403,
    `This request was refused: ${why}. Type or paste ${own} into the address bar to open the Web UI.`,
  );
}

function respondUnavailable(answer: ServerResponse): void {
  respond(answer, 502, 'The Temporal server is not responding; it may be restarting. Reload in a moment.');
}

function respond(answer: ServerResponse, status: number, text: string): void {
  answer.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    // The rest of a refused body is not read.
    connection: 'close',
  });
  answer.end(`${text}\n`);
}

function cannotListen({ host, port }: HostPort): HeddleError {
  return new HeddleError({
    code: 'NO_FREE_PORT',
    message: `The Web UI could not be opened on ${host}:${port} or any other port that was tried`,
    where: host,
    hint: 'End programs that listen there, or use a running server by TEMPORAL_ADDRESS.',
  });
}
