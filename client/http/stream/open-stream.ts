import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { Identity } from '../identity.ts';
import type { RawCall, Reply } from '../route.ts';
import { SseWriter, type Frame } from './sse-writer.ts';

/** Frames of several sources, for one reader. Each source ends when the signal is aborted. */
export type FrameSource = (signal: AbortSignal) => AsyncIterable<Frame>;

/**
 * Sends frames to the reader until all sources have ended, the reader has gone, or the server stops. Sources take turns: each waits until
 * the reader has taken its frame.
 */
export async function openStream(
  { shared, parts, env, request, isStillAllowed }: RawCall,
  { name }: Pick<Identity, 'name'>,
  sources: readonly FrameSource[],
): Promise<Reply> {
  if (request.method === 'HEAD') return { status: 200, headers: { 'content-type': 'text/event-stream' } };
  const giveBack = shared.limits.streams.take(name);
  const writer = new SseWriter(env.outgoing);
  const closing = parts.closing ?? neverClosing;
  const access = watchAccess(isStillAllowed);
  const signal = AbortSignal.any([writer.signal, closing, access.ended]);
  try {
    await Promise.all(sources.map((source) => sendAll(writer, source, signal)));
    if (closing.aborted) await writer.send(trouble('the server is stopping'));
    if (access.ended.aborted) await writer.send(trouble('the token of this stream is no longer valid'));
  } finally {
    access.close();
    await writer.end();
    giveBack();
  }
  // A clone is Node's own Response: the adapter sends one of its own again, whatever its headers say.
  return RESPONSE_ALREADY_SENT.clone();
}

/** Aborts once the reader may no longer read, and where nobody can tell: a stream outlives its first look at the token by hours. */
function watchAccess(isStillAllowed: RawCall['isStillAllowed']): { ended: AbortSignal; close: () => void } {
  const end = new AbortController();
  const look = async (): Promise<void> => {
    const isAllowed = await isStillAllowed().catch(() => false);
    if (!isAllowed) end.abort();
  };
  const timer = setInterval(() => void look(), clientLimits.streams.recheck);
  return { ended: end.signal, close: () => clearInterval(timer) };
}

/** An error that lasts is told to the reader as trouble: an answer with its code comes too late. */
async function sendAll(writer: SseWriter, source: FrameSource, signal: AbortSignal): Promise<void> {
  try {
    for await (const frame of source(signal)) await writer.send(frame);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof HeddleError)) throw error;
    await writer.send(trouble(error.message));
  }
}

export const trouble = (text: string | null): Frame => ({ event: 'trouble', data: JSON.stringify({ text }) });

const neverClosing = new AbortController().signal;

/** The number after which a reader wants events: the last one that its browser got, else the one of the address. */
export function readSince({ request }: Pick<RawCall, 'request'>, since: number | undefined): number {
  const last = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(last) ? Number(last) : (since ?? 0);
}
