import { setTimeout as sleep } from 'node:timers/promises';

import { formatBytes } from '../../domain/text/bytes.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { parseRetryAfter } from '../temporal/retry-after.ts';
import { checkUrl, type WebAddress } from './check-url.ts';
import { createGuardedAgent, type GuardOptions } from './guarded-agent.ts';
import { BodyTooLargeError, saveBody } from './save-body.ts';
import { explainTrouble } from './web-trouble.ts';

const limits = activityLimits.web;

export interface FetchOptions extends Pick<GuardOptions, 'servers' | 'dial'> {
  internal: readonly string[];
  /** Rules on the host of each redirect. */
  mayFollow: (host: string) => boolean;
  /** The file that takes the body. */
  path: string;
  signal: AbortSignal;
}

/** The end of a fetch. */
export type Fetched =
  /** The body is in the file, whatever the status. */
  | { kind: 'page'; url: string; status: number; type: string; bytes: number }
  /** A redirect that was not followed. */
  | { kind: 'elsewhere'; to: string; why: string }
  /** `refused`: the address must not be dialled. */
  | { kind: 'failed'; text: string; refused: boolean };

/** One try: how it ended, and whether another one may end otherwise. `wait`: the server said for how long. */
interface Try {
  fetched: Fetched;
  mayPass: boolean;
  wait?: number | undefined;
}

/**
 * Fetches an address over guarded connections, by one rule: what may pass is tried twice more, redirects are followed as far as the rules
 * let their hosts through, and all of it ends after 30 seconds. No cookies, no credentials, no proxy.
 */
export async function fetchUrl(address: WebAddress, options: FetchOptions): Promise<Fetched> {
  const deadline = performance.now() + limits.timeout;
  const timeout = AbortSignal.timeout(limits.timeout);
  const signal = AbortSignal.any([options.signal, timeout]);
  const request = await openRequest({ ...options, signal });
  try {
    for (const pause of limits.waits) {
      const { fetched, mayPass, wait = pause } = await follow(address, { ...options, signal, request });
      if (!mayPass || wait > limits.retryAfter || performance.now() + wait > deadline) return fetched;
      await sleep(wait, undefined, { signal });
    }
    return (await follow(address, { ...options, signal, request })).fetched;
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeout.aborted) return failed(`It took longer than ${formatDuration(limits.timeout)}.`);
    throw error;
  } finally {
    await request.close();
  }
}

const failed = (text: string, refused = false): Fetched => ({ kind: 'failed', text, refused });

/** The parts of a reply that are looked at. */
interface Reply {
  status: number;
  header: (name: string) => string;
  body: AsyncIterable<Uint8Array> | null;
  /** The body is not read. */
  drop: () => Promise<void>;
}

interface Request {
  send: (url: URL) => Promise<Reply>;
  close: () => Promise<void>;
}

/** Undici is loaded by the first fetch. */
async function openRequest(options: FetchOptions): Promise<Request> {
  const { fetch } = await import('undici');
  const agent = await createGuardedAgent(options);
  const headers = { accept: 'text/markdown, text/html, */*;q=0.5', 'user-agent': 'heddle' };
  return {
    send: async (url) => {
      const reply = await fetch(url, { dispatcher: agent, redirect: 'manual', headers, signal: options.signal });
      const { status, body } = reply;
      const header = (name: string): string => reply.headers.get(name) ?? '';
      const drop = async (): Promise<void> => {
        await body?.cancel();
      };
      return { status, header, body, drop };
    },
    close: () => agent.destroy(),
  };
}

type Parts = FetchOptions & { request: Request };

/** One try, with all of its redirects. */
async function follow(address: WebAddress, parts: Parts): Promise<Try> {
  let at = address;
  try {
    for (let hops = 0; ; hops += 1) {
      const reply = await parts.request.send(at.url);
      const location = isRedirect(reply.status) ? reply.header('location') : '';
      if (location === '') return await receive(at, reply, parts);
      await reply.drop();
      const next = checkUrl(location, at.url.href, parts.internal);
      if (typeof next === 'string') return final({ kind: 'elsewhere', to: location.slice(0, limits.url), why: next });
      if (hops === limits.redirects)
        return final(failed(`It leads on and on: more than ${limits.redirects} redirects.`));
      if (next.host !== address.host && !parts.mayFollow(next.host))
        return final({ kind: 'elsewhere', to: next.url.href, why: '' });
      at = next;
    }
  } catch (error) {
    parts.signal.throwIfAborted();
    if (error instanceof BodyTooLargeError) return final(tooLarge());
    const { text, isTemporary, refused = false } = explainTrouble(error);
    return { fetched: failed(text, refused), mayPass: isTemporary };
  }
}

const final = (fetched: Fetched): Try => ({ fetched, mayPass: false });

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const tooLarge = (): Fetched => failed(`It is longer than ${formatBytes(limits.bodyBytes)}.`);

/** Statuses of servers that are busy, or away for a moment. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504]);

async function receive({ url }: WebAddress, reply: Reply, { path }: Parts): Promise<Try> {
  const { status } = reply;
  if (Number(reply.header('content-length')) > limits.bodyBytes) {
    await reply.drop();
    return final(tooLarge());
  }
  const bytes = await saveBody(reply.body, path, limits.bodyBytes);
  const fetched: Fetched = { kind: 'page', url: url.href, status, type: reply.header('content-type'), bytes };
  if (!busy.has(status)) return final(fetched);
  const wait = parseRetryAfter(`Retry-After: ${reply.header('retry-after')}`, Date.now(), Infinity);
  return { fetched, mayPass: true, wait };
}
