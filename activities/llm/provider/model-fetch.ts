import type { Dispatcher, fetch as undiciFetch } from 'undici';

import { activityLimits } from '../../limits/activity-limits.ts';
import { explainConnection } from './explain-connection.ts';
import { explainRefusal } from './explain-model-error.ts';
import { ModelError } from '../ports/model.ts';
import { withReasoning } from './patch-reasoning.ts';
import { voidReply, formatProvider, type KeyedRequest } from './model-trouble.ts';

const limits = activityLimits.models;

interface Transport {
  send: typeof undiciFetch;
  dispatcher: Dispatcher;
}

let opened: Promise<Transport> | undefined;

/**
 * One for all calls of the process: it keeps connections open between turns. No proxy, whatever the environment says. Loaded by
 * the first call: what has no models runs on a Node that is too old for it.
 */
async function openTransport(): Promise<Transport> {
  const { Agent, fetch: send } = await import('undici');
  const connect = { timeout: limits.connectTimeout };
  return { send, dispatcher: new Agent({ connect, headersTimeout: 0, bodyTimeout: limits.silence }) };
}

/** The part of a response that the providers' code needs, from any fetch. */
export type ModelFetch = typeof globalThis.fetch;

/**
 * The only way out to a model: one request, whose answer is a reply that has begun or a `ModelError`. Providers' code never sees
 * an error's body, so it cannot retry, rename or repeat it.
 */
export function createModelFetch(subject: KeyedRequest): ModelFetch {
  return async (url, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const fetchRequest: FetchRequest = {
      url: url instanceof Request ? url.url : url.toString(),
      headers: buildHeaders(init?.headers, subject.key),
      signal: subject.request.signal,
      subject,
    };
    const first = await ask(fetchRequest, body);
    if (first.ok) return first.response;
    const patched = withReasoning(body, first.refusal);
    const last = patched === undefined ? first : await ask(fetchRequest, patched);
    if (last.ok) return last.response;
    throw explainRefusal(last.refusal, subject);
  };
}

interface FetchRequest {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  subject: KeyedRequest;
}

type FetchResult =
  | { ok: true; response: Response }
  | { ok: false; refusal: { status: number; headers: Headers; body: string } };

async function ask({ url, headers, signal, subject }: FetchRequest, body: string): Promise<FetchResult> {
  try {
    const { send, dispatcher } = await (opened ??= openTransport());
    const response = await send(url, { method: 'POST', headers, body, signal, dispatcher, redirect: 'manual' });
    const own = new Headers([...response.headers]);
    if (!response.ok) {
      return { ok: false, refusal: { status: response.status, headers: own, body: await readStart(response.body) } };
    }
    const capped = response.body?.pipeThrough(capBytes(subject)) ?? null;
    // The providers' code reads only the type of the content from the headers.
    const type = own.get('content-type');
    return { ok: true, response: new Response(capped, { headers: type === null ? {} : { 'content-type': type } }) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelError ? error : explainConnection(error, subject);
  }
}

/** Without a key no header that would hold one. */
function buildHeaders(given: RequestInit['headers'], key: string | undefined): Record<string, string> {
  const headers = new Headers(given);
  if (key === undefined) for (const name of ['authorization', 'x-api-key']) headers.delete(name);
  return Object.fromEntries(headers);
}

async function readStart(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= limits.errorBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, limits.errorBytes);
}

function capBytes(subject: KeyedRequest): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= limits.replyBytes) controller.enqueue(chunk);
      else {
        const most = limits.replyBytes / 1024 / 1024;
        controller.error(voidReply(subject, `${formatProvider(subject)} sent a reply of more than ${most} MB.`));
      }
    },
  });
}
