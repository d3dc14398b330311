import type { Client, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { formatDuration } from '../../domain/text/duration.ts';
import { oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { systemCode } from '../system/system-error.ts';
import { untilAborted } from '../system/until-aborted.ts';

/** Why a server cannot be used, as the end of a sentence about it. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
}

/**
 * The end of a call without a result. `answered`: the server refused it, in its own words. `late` and `lost`: nobody knows whether it took
 * effect. `unsent`: it never reached the server.
 */
export class CallProblem extends Error {
  override readonly name = 'CallProblem';
  readonly kind: 'answered' | 'late' | 'lost' | 'unsent';

  constructor(kind: CallProblem['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface ServerCall {
  tool: string;
  args: Record<string, unknown>;
  /** The idempotency key of the call. */
  key: string;
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal;
  onProgress?: ((text: string) => void) | undefined;
}

/** A connection to one server. */
export interface OpenServer {
  /** The tools as the server describes them: nothing of it was checked. */
  list: (signal: AbortSignal) => Promise<unknown[]>;
  /** The result as the server sent it. Throws a `CallProblem`. */
  call: (call: ServerCall) => Promise<Record<string, unknown>>;
  readonly isClosed: boolean;
  close: () => Promise<void>;
}

/** The way to a server: the streams of a program, or HTTP. */
export interface Wire {
  transport: Transport;
  /** The version is asked for before the handshake: only where that cannot harm. */
  probes: boolean;
  /** Why the connection ended, in the words of the server where it has some. */
  explainEnd: () => string | undefined;
  /** The last lines of its errors, once it has ended; empty where there are none. */
  lastErrors: () => string;
}

interface OpenOptions {
  start: number;
  signal: AbortSignal;
  onListChanged?: (() => void) | undefined;
}

const loose = z.looseObject({});
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Connects to a server, within the time for its start. The library is loaded now: most tasks have no servers. */
export async function openServer(wire: Wire, { start, signal, onListChanged }: OpenOptions): Promise<OpenServer> {
  const { Client, ProtocolError } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'heddle', version: '1' },
    { versionNegotiation: { mode: wire.probes ? 'auto' : 'legacy', probe: { timeoutMs: start } } },
  );
  const state = { closed: false };
  client.onclose = () => (state.closed = true);
  client.onerror = () => undefined;
  if (onListChanged !== undefined) client.setNotificationHandler('notifications/tools/list_changed', onListChanged);
  const close = async (): Promise<void> => {
    state.closed = true;
    // A server that does not let go is ended by its transport.
    await client.close().catch(() => undefined);
  };
  const patience = AbortSignal.any([signal, AbortSignal.timeout(start)]);
  try {
    await untilAborted(client.connect(wire.transport, { timeout: start, signal: patience }), patience);
  } catch (error) {
    await Promise.all([close(), wire.transport.close().catch(() => undefined)]);
    signal.throwIfAborted();
    throw new ServerProblem(isLate(error) ? formatLate(wire, start) : formatStart(error, wire));
  }
  const explain = (error: unknown, timeout: number): CallProblem => {
    if (error instanceof ProtocolError) return new CallProblem('answered', error.message);
    if (isLate(error)) return new CallProblem('late', `did not answer within ${formatDuration(timeout)}`);
    const why = wire.explainEnd() ?? (error instanceof Error ? error.message : String(error));
    return new CallProblem('lost', `was lost in the middle of the call (${oneLine(why)})`);
  };
  return {
    get isClosed() {
      return state.closed;
    },
    close,
    list: (within) => listTools(client, within).catch((error: unknown) => rethrowList(error, wire)),
    call: (call) => callTool(client, call, explain),
  };
}

/** The library is loaded late, so its code of a timeout is known by its text. */
const isLate = (error: unknown): boolean =>
  error instanceof DOMException ? error.name === 'TimeoutError' : systemCode(error) === 'REQUEST_TIMEOUT';

function formatLate({ lastErrors }: Wire, start: number): string {
  const errors = lastErrors();
  return `it did not answer within ${formatDuration(start)}${errors === '' ? '' : `: ${errors}`}`;
}

const formatStart = (error: unknown, { explainEnd }: Wire): string => explainEnd() ?? describeError(error);

/** Causes inside of causes that are looked at. */
const mostCauses = 8;

/** Errors of `fetch`, and of the library around it, say why in their innermost cause. */
function describeError(error: unknown): string {
  let inner = error;
  for (let left = mostCauses; left > 0 && inner instanceof Error && inner.cause instanceof Error; left -= 1)
    inner = inner.cause;
  return oneLine(inner instanceof Error ? inner.message : String(inner));
}

function rethrowList(error: unknown, { explainEnd }: Wire): never {
  throw new ServerProblem(explainEnd() ?? `its list of tools could not be read: ${describeError(error)}`);
}

async function listTools(client: Client, signal: AbortSignal): Promise<unknown[]> {
  const { listPages, listedTools } = activityLimits.servers;
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < listPages && tools.length < listedTools; pages += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const read = await untilAborted(client.request({ method: 'tools/list', ...params }, page, { signal }), signal);
    tools.push(...read.tools);
    cursor = read.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error('it has no end');
}

async function callTool(
  client: Client,
  { tool, args, key, timeout, signal, onProgress }: ServerCall,
  explain: (error: unknown, timeout: number) => CallProblem,
): Promise<Record<string, unknown>> {
  const params = { name: tool, arguments: args, _meta: { 'heddle/key': key } };
  const hear = throttle((text) => onProgress?.(text));
  try {
    const answer = client.request({ method: 'tools/call', params }, loose, {
      ...{ timeout, maxTotalTimeout: timeout, signal },
      ...(onProgress === undefined ? {} : { onprogress: ({ message }) => message !== undefined && hear(message) }),
    });
    return await untilAborted(answer, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, timeout);
  }
}

/** A server may send thousands of notes; people read some. */
function throttle(show: (text: string) => void): (text: string) => void {
  let next = 0;
  return (text) => {
    const now = performance.now();
    if (now < next) return;
    next = now + activityLimits.servers.progressPause;
    show(oneLine(text).slice(0, activityLimits.servers.progressText));
  };
}
