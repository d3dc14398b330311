import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { estimateTokenCount } from 'tokenx';

import type { ScriptReply } from './script.ts';
import { anthropic } from '../wires/anthropic.ts';
import { chat } from '../wires/chat.ts';
import { ollama } from '../wires/ollama.ts';
import { responses } from '../wires/responses.ts';
import type { Wire, WireReply } from '../wires/wire.ts';

export interface ScriptedRequest {
  /** The path before the part that the API has. */
  prefix: string;
  /** All texts of the conversation, system text included, schemas of tools not. */
  text: string;
  body: Readonly<Record<string, unknown>>;
}

/** The scripted reply; a string explains why no entry fits. */
export type ScriptedAnswer = ScriptReply | string;

export interface ScriptedServer {
  url: string;
  close(): Promise<void>;
}

const wires: readonly Wire[] = [chat, responses, anthropic, ollama];

/**
 * A service on the loopback address that speaks as the real ones do, so that a script goes through the providers' real code. It
 * keeps no process alive.
 */
export async function startScriptedServer(
  answer: (request: ScriptedRequest) => Promise<ScriptedAnswer>,
): Promise<ScriptedServer> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, answer).catch(() => outgoing.destroy());
  });
  server.on('connection', (socket) => socket.unref());
  server.unref();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: ScriptedRequest) => Promise<ScriptedAnswer>,
): Promise<void> {
  const path = incoming.url ?? '';
  const wire = wires.find(({ ending }) => path.endsWith(ending));
  const body = asMap(JSON.parse(Buffer.concat(await incoming.toArray()).toString() || '{}'));
  if (wire === undefined) {
    send(outgoing, 404, { error: { message: `There is no ${path} here.` } });
    return;
  }
  const request = { prefix: path.slice(0, -wire.ending.length), text: collectText(body), body };
  const refused = wire.checkImages(body);
  if (refused !== undefined) {
    send(outgoing, 400, wire.error(400, refused));
    return;
  }
  const reply = await answer(request);
  if (typeof reply === 'string') send(outgoing, 404, wire.error(404, reply, 'SCRIPT_EXHAUSTED'));
  else await play(reply, { wire, outgoing, request });
}

interface Stage {
  wire: Wire;
  outgoing: ServerResponse;
  request: ScriptedRequest;
}

async function play(reply: ScriptReply, stage: Stage): Promise<void> {
  const { wire, outgoing, request } = stage;
  const { status = 200, retryAfter, delay = 0, cut } = reply;
  if (delay > 0) await sleep(delay);
  if (retryAfter !== undefined) outgoing.setHeader('retry-after', Math.ceil(retryAfter / 1_000));
  const streams = wire.streams(request.body);
  const type = streams && status < 300 ? wire.contentType : 'application/json';
  const pieces = buildPieces(reply, stage, streams);
  outgoing.writeHead(status, { 'content-type': type });
  for (const piece of pieces.slice(0, cut)) outgoing.write(piece);
  // Half a reply: what was sent arrives, and then the connection is gone without an end.
  if (cut !== undefined) outgoing.socket?.destroySoon();
  else outgoing.end();
}

function buildPieces(reply: ScriptReply, { wire, request }: Stage, streams: boolean): string[] {
  const { status = 200, raw, text = '' } = reply;
  if (raw !== undefined) return [typeof raw === 'string' ? raw : JSON.stringify(raw)];
  if (status >= 300) return [JSON.stringify(wire.error(status, text || `scripted error ${status}`))];
  const whole = toWire(reply, request);
  return streams ? wire.pieces(whole) : halves(JSON.stringify(wire.whole(whole)));
}

/** The same request gets the same ids, whichever process answers; the next turn of a conversation gets others. */
const hashRequest = ({ text }: ScriptedRequest): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const halves = (text: string): string[] => [text.slice(0, text.length / 2), text.slice(text.length / 2)];

function toWire({ text = '', calls = [], usage = {} }: ScriptReply, request: ScriptedRequest): WireReply {
  const id = hashRequest(request);
  const written = calls.map(({ tool, input = {} }, index) => ({
    id: `call_${id}_${index}`,
    tool,
    // A text stands for itself, so that a script can hold what no JSON is.
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
  const outputText = [text, ...written.map(({ input }) => input)].join('\n');
  return {
    id,
    model: typeof request.body['model'] === 'string' ? request.body['model'] : 'scripted',
    text,
    calls: written,
    usage: {
      input: usage.input ?? Math.max(1, estimateTokenCount(request.text)),
      output: usage.output ?? estimateTokenCount(outputText),
      cached: usage.cached ?? 0,
      reasoning: usage.reasoning ?? 0,
    },
  };
}

function send(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Keys under which the APIs put text. */
const spoken = ['system', 'instructions', 'messages', 'input'];

function collectText(body: Readonly<Record<string, unknown>>): string {
  return spoken.flatMap((key) => stringsIn(key, body[key])).join('\n');
}

/** The content of an image is no text: its address is cut after its beginning. */
const imageData = /^(data:image\/[a-z]+;base64),/;
/** Keys under which two of the APIs have the bytes alone. */
const imageKeys: ReadonlySet<string> = new Set(['data', 'images']);

function stringsIn(key: string, value: unknown): string[] {
  if (typeof value === 'string') return imageKeys.has(key) ? [] : [imageData.exec(value)?.[1] ?? value];
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(key, each));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => stringsIn(name, inner));
}

const asMap = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
