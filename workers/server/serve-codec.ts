import type { Payload, PayloadCodec } from '@temporalio/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { workerLimits } from '../limits/worker-limits.ts';
import { isOwnUser } from './is-own-user.ts';

/** The path of the guard below which the Web UI asks for its payloads; its address is an option of the server. */
export const codecPath = '/codec';

const body = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), z.base64()).optional(), data: z.base64().nullish() })),
});

/** Is a request for the codec, and not for the Web UI? */
export const isForCodec = ({ url = '' }: IncomingMessage): boolean =>
  url === codecPath || url.startsWith(`${codecPath}/`);

/**
 * Decodes and encodes payloads for the Web UI behind the guard, which has refused all other pages. A program of another user of this machine
 * can call the guard too, and is refused here: only the file of keys says who may read.
 */
export async function serveCodec(
  incoming: IncomingMessage,
  answer: ServerResponse,
  codec: PayloadCodec,
): Promise<void> {
  if (!(await isOwnUser(incoming.socket))) return respond(answer, 403, 'Only your own programs may use the keys.');
  const convert = incoming.method === 'POST' ? findConversion(incoming.url, codec) : undefined;
  if (convert === undefined) return respond(answer, 404, 'There is only POST /codec/decode and POST /codec/encode.');
  const text = await readText(incoming);
  if (text === undefined) return respond(answer, 413, 'The body is too large.');
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) return respond(answer, 400, 'The body is not {"payloads": [...]} as the Web UI sends it.');
  const converted = await convert(parsed.data.payloads.map(readPayload));
  answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  answer.end(JSON.stringify({ payloads: converted.map(writePayload) }));
}

/** The Web UI adds a query to the address of some calls. */
function findConversion(url = '', codec: PayloadCodec): ((payloads: Payload[]) => Promise<Payload[]>) | undefined {
  const [path] = url.split('?', 1);
  if (path === `${codecPath}/decode`) return (payloads) => codec.decode(payloads);
  return path === `${codecPath}/encode` ? (payloads) => codec.encode(payloads) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type JsonPayload = z.infer<typeof body>['payloads'][number];

const readPayload = ({ metadata = {}, data }: JsonPayload): Payload => ({
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  data: Buffer.from(data ?? '', 'base64'),
});

const writePayload = ({ metadata, data }: Payload): JsonPayload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});

async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > workerLimits.guard.codecBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function respond(answer: ServerResponse, status: number, text: string): void {
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  answer.end(`${text}\n`);
}
