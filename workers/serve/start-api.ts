import { getRequestListener, RequestError } from '@hono/node-server';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { statfs } from 'node:fs/promises';
import { apiFiles } from '../../activities/home/home-layout.ts';
import { readIdentity } from '../../activities/programs/process-identity.ts';
import { createApp } from '../../client/http/app/create-app.ts';
import type { AppParts, AssetSource } from '../../client/http/app-parts.ts';
import { sendProblem } from '../../client/http/request/send-problem.ts';
import { readVersion } from '../../client/cli/shared/version.ts';
import { userName } from '../../client/cli/shared/user-name.ts';
import type { Endpoint } from '../../client/ports/service.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Environment, HeddleHome } from '../home/home.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { isLoopback, type ServerSettings } from '../settings/server-settings.ts';
import { findServing, formatAudience, readApiRecord, writeApiRecord, type ApiRecord } from './api-record.ts';
import { consoleBundle } from './console-bundle.ts';
import { homeKey, sign } from './home-key.ts';
import { createIdentities } from './identities.ts';
import { listen } from './listen.ts';
import { listOwnAddresses } from './own-addresses.ts';
import { loadAssets } from './static-files.ts';
import { TokenUses } from './token-uses.ts';
import { isValid, readTokens } from './tokens-file.ts';

/** The ports of this machine that the API uses. */
export type ApiPorts = AppParts['ports'];

export interface ApiOptions {
  home: HeddleHome;
  env: Environment;
  settings: ServerSettings;
  ports: ApiPorts;
  /** The Temporal server of the tasks. */
  endpoint: () => Promise<Endpoint>;
  /** Called when somebody asks for something. An open stream does not ask: a hidden tab would keep the service awake for ever. */
  onUse: () => void;
  /** Is given the errors that are faults of this server. */
  log: (error: unknown) => void;
}

export interface RunningApi {
  record: ApiRecord;
  /** Lets requests end for a moment, then cuts them. */
  close(): Promise<void>;
}

/** Serves the API and the console. Throws `SERVE_UNPROTECTED` and `ADDRESS_TAKEN` before anything is served. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { home, settings, log } = options;
  requireProtection(settings);
  const identity = readIdentity(process.pid);
  if (identity === undefined) throw new Error('this process cannot be identified');
  const uses = new TokenUses(apiFiles(home.run).used, log);
  const bundle = lazyConsole(home.cache);
  const own = { port: 0, closing: new AbortController() };
  const app = createApp(buildParts(options, { audience: formatAudience(identity), uses, own, assets: bundle.assets }), {
    log,
  });
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => explain(error, log),
  });
  const server = createServer(
    { requireHostHeader: true },
    handle(async (incoming, outgoing) => {
      if (!isStream(incoming)) options.onUse();
      // Only a page needs the console: a program that asks the API does not wait for it.
      if (!isApi(incoming)) await bundle.load();
      await answer(incoming, outgoing);
    }, log),
  );
  setLimits(server);
  own.port = await listen(server, settings, readApiRecord(home)?.port);
  const { console } = listOwnAddresses(settings, own.port);
  const takesKey = settings.local !== 'none' && isLoopback(settings.host);
  const record = { host: settings.host, port: own.port, console, api: `${console}/api/v1`, takesKey, ...identity };
  // A second server of a home leaves the record to the first.
  if (findServing(home) === undefined) writeApiRecord(home, record);
  return {
    record,
    close: async () => {
      own.closing.abort();
      await closeServer(server);
      await uses.settle();
    },
  };
}

interface Own {
  audience: string;
  uses: TokenUses;
  own: { port: number; closing: AbortController };
  assets: AssetSource;
}

function buildParts(
  { home, env, settings, ports, endpoint }: ApiOptions,
  { audience, uses, own, assets }: Own,
): AppParts {
  return {
    endpoint,
    ports,
    identities: createIdentities({
      home,
      settings,
      user: userName(env),
      audience,
      onUse: (sha256) => uses.note(sha256),
    }),
    ownAddresses: () => listOwnAddresses(settings, own.port),
    home: {
      version: readVersion(),
      startedAt: new Date().toISOString(),
      freeBytes: async () => {
        const { bavail, bsize } = await statfs(home.data).catch(() => ({ bavail: -1, bsize: 1 }));
        return bavail < 0 ? null : bavail * bsize;
      },
      secret: Buffer.from(sign(homeKey(home), 'cursor', '')),
    },
    rules: { workspaces: settings.workspaces },
    closing: own.closing.signal,
    assets,
  };
}

/** Another machine, or another user's browser, could reach it: then only people with a token may. */
function requireProtection({ host, tokensFile }: ServerSettings): void {
  if (isLoopback(host) || readTokens(tokensFile).some(isValid)) return;
  throw new HeddleError({
    code: 'SERVE_UNPROTECTED',
    message: `Others could reach the API at ${host}, and nobody has a token`,
    where: '--host or server.host',
    hint: 'Make a token for each person: `heddle auth token add NAME --role ROLE`. Or keep the address 127.0.0.1.',
  });
}

/** The console, loaded when the first page is asked for: a clone has to build it. */
function lazyConsole(cache: string): { assets: AssetSource; load: () => Promise<void> } {
  let loaded: AssetSource | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    loaded = loadAssets(await consoleBundle(cache));
  };
  return {
    assets: { open: (path) => loaded?.open(path), page: () => loaded?.page() ?? new Uint8Array() },
    load: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      })),
  };
}

const isApi = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/api/');

const isStream = ({ url = '' }: IncomingMessage): boolean => /\/stream(?:\?|$)/.test(url);

type Handler = (...args: Parameters<RequestListener>) => Promise<void>;

/** A request that could not be answered ends with an error, and the server goes on. */
function handle(handler: Handler, log: (error: unknown) => void): RequestListener {
  return (incoming, outgoing) => {
    handler(incoming, outgoing).catch((error: unknown) => {
      log(error);
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
      outgoing.end('Something went wrong; the log of the server has more.\n');
    });
  };
}

/** A request whose address or Host cannot be read reaches no route. */
function explain(error: unknown, log: (error: unknown) => void): Response {
  const isRequest = error instanceof RequestError;
  const message = isRequest ? `The request cannot be read: ${error.message}` : '';
  return sendProblem(isRequest ? new HeddleError({ code: 'REQUEST_INVALID', message }) : error, log);
}

function setLimits(server: Server): void {
  const { connections, request, headers } = workerLimits.api;
  server.maxConnections = connections;
  server.headersTimeout = headers;
  server.requestTimeout = request;
  // Nothing here is upgraded, and what is upgraded is no longer looked at.
  server.on('upgrade', (_incoming, socket) => socket.destroy());
  server.on('connect', (_incoming, socket) => socket.destroy());
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), workerLimits.api.drain);
  await closed;
  clearTimeout(cut);
}
