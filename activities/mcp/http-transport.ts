import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { formatBytes } from '../../domain/text/bytes.ts';
import { activityLimits } from '../limits/activity-limits.ts';

/**
 * The transport to a server with an address. A redirect is refused, since it would carry the token elsewhere. A body that breaks off, or
 * grows too large, closes the connection at once: without that a call would wait for its time limit.
 */
export function openHttpTransport(
  url: string,
  { token, onTrouble }: { token: string | undefined; onTrouble: (why: string) => void },
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: {
      redirect: 'error',
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
    fetch: async (address, init) => watchBody(await fetch(address, { ...init, redirect: 'error' }), onTrouble),
  });
}

/** The same response, whose body is counted, and heard when it breaks off. */
function watchBody(response: Response, onTrouble: (why: string) => void): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const most = mostBytes(headers);
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const piece of readPieces(body)) {
        bytes += piece.length;
        if (bytes > most) throw new Error(`it sent more than ${formatBytes(most)} at once`);
        yield piece;
      }
    } catch (error) {
      onTrouble(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  const watched = ReadableStream.from(counted());
  return new Response(watched, { status, statusText, headers });
}

const readPieces = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => body;

/** Events of a call come with their answer: together they may have some times the size of one message. */
const mostBytes = (headers: Headers): number =>
  activityLimits.servers.messageBytes * (headers.get('content-type')?.includes('event-stream') === true ? 8 : 1);
