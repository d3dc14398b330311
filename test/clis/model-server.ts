import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { anthropic } from '../../activities/llm/wires/anthropic.ts';
import { responses } from '../../activities/llm/wires/responses.ts';
import { namedSse, type Wire, type WireReply } from '../../activities/llm/wires/wire.ts';
import { gemini } from './gemini-wire.ts';

/** Behaviour of the service at every request: it works, refuses as a real one does, or never answers. */
export type Mood =
  | 'write'
  | 'goal'
  | 'shell'
  | 'unauthorized'
  | 'rate-limit'
  | 'plan-limit'
  | 'too-long'
  | 'refuses'
  | 'hang';

export interface ModelServer {
  /** The address of a service in this mood for one caller: the first part of the path. */
  url(mood: Mood, caller: string): string;
  /** Requests of models that came there so far. */
  requests(mood: Mood, caller: string): number;
  /** Names of all tools that came with these requests. */
  tools(mood: Mood, caller: string): string[];
  /** Behaviour from its next request on. */
  turn(mood: Mood, caller: string, to: Mood): void;
  close(): Promise<void>;
}

/** Seconds from now at which the plan's limit is lifted. */
const planLimitSeconds = 90;

const usage = { input: 1_200, output: 40, cached: 500, reasoning: 0 };

/** The file that every program is asked to write, and what it says when it has done so. */
export const written = 'hello.txt';
const done = `I wrote ${written}.\n{"status":"success","notes":"wrote ${written}"}`;

/** A service of models on the loopback address, with the wires of Anthropic, OpenAI and Google. */
export async function startModelServer(): Promise<ModelServer> {
  const heard = new Map<string, number>();
  const turned = new Map<string, Mood>();
  const tools = new Map<string, string[]>();
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, { heard, turned, tools }).catch(() => outgoing.destroy());
  });
  // Codex asks for a WebSocket first.
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (mood, caller) => `http://127.0.0.1:${port}/${mood}.${caller}`,
    requests: (mood, caller) => heard.get(`${mood}.${caller}`) ?? 0,
    tools: (mood, caller) => tools.get(`${mood}.${caller}`) ?? [],
    turn: (mood, caller, to) => void turned.set(`${mood}.${caller}`, to),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Notes {
  heard: Map<string, number>;
  turned: Map<string, Mood>;
  tools: Map<string, string[]>;
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { heard, turned, tools }: Notes,
): Promise<void> {
  const [, named = '', ...rest] = (incoming.url ?? '').split('/');
  const path = rest.join('/').replace(/\?.*/, '');
  const text = Buffer.concat(await incoming.toArray()).toString();
  const wire = wireOf(path);
  if (wire === undefined) return void outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  heard.set(named, (heard.get(named) ?? 0) + 1);
  const mood = turned.get(named) ?? (named.split('.')[0] as Mood);
  const body = JSON.parse(text) as Body;
  tools.set(named, [...(tools.get(named) ?? []), ...namesOfTools(body)]);
  switch (mood) {
    case 'hang':
      return;
    case 'unauthorized':
      return fail(outgoing, wire, 401, 'invalid x-api-key');
    case 'rate-limit':
      outgoing.setHeader('retry-after', '2');
      return fail(
        outgoing,
        wire,
        429,
        "This request would exceed your organization's rate limit of 50,000 input tokens per minute.",
      );
    case 'plan-limit':
      return planLimit(outgoing, wire);
    case 'too-long':
      return fail(outgoing, wire, 400, 'prompt is too long: 213462 tokens > 200000 maximum');
    case 'refuses':
      return refuse(outgoing, wire, body);
    case 'goal': {
      const whole = wholeReply(text);
      if (whole !== undefined) {
        const reply = { id: 'whole', model: body.model ?? 'scripted', usage, calls: [], text: whole };
        return answer(outgoing, wire, { body, reply });
      }
      return work(outgoing, wire, { body, text, mood: 'write' });
    }
    case 'write':
    case 'shell':
      return work(outgoing, wire, { body, text, mood });
  }
}

function work(
  outgoing: ServerResponse,
  wire: Wire,
  { body, text, mood }: { body: Body; text: string; mood: 'write' | 'shell' },
): void {
  if (wire === responses && runsScripts(text)) return script(outgoing, mood);
  return answer(outgoing, wire, { body, reply: replyTo(body, text, mood) });
}

const plan = {
  subtasks: [{ id: 'hello', description: `Create the file ${written} with one line.`, deliverables: [written] }],
};
const judgement = { passed: true, confidence: 0.9, outcome: 'pass', issues: [], feedback: '', missingEvidence: [] };

/** The reply of a model that plans or judges. */
function wholeReply(text: string): string | undefined {
  if (text.includes('You plan the work of others')) return JSON.stringify(plan);
  return text.includes('You judge the work of another agent') ? JSON.stringify(judgement) : undefined;
}

interface Body {
  stream?: boolean;
  model?: string;
  tools?: { name?: string; functionDeclarations?: { name: string }[] }[];
}

function wireOf(path: string): Wire | undefined {
  if (path.endsWith('/messages')) return anthropic;
  if (path.endsWith('/responses')) return responses;
  return path.endsWith('enerateContent') ? gemini : undefined;
}

const namesOfTools = ({ tools = [] }: Body): string[] =>
  tools.flatMap(({ name, functionDeclarations = [] }) => [
    ...(name === undefined ? [] : [name]),
    ...functionDeclarations.map((each) => each.name),
  ]);

/** A first request with tools is answered with a call of one, and the request with its result with a report. */
function replyTo(body: Body, text: string, mood: 'write' | 'shell'): WireReply {
  const names = namesOfTools(body);
  const call = names.map((name) => callOf(name, mood)).find((found) => found !== undefined);
  const answered = /"(?:tool_result|function_call_output|custom_tool_call_output|functionResponse)"/.test(text);
  const id = `r${text.length}`;
  const common = { id, model: body.model ?? 'scripted', usage };
  if (call === undefined || answered)
    return { ...common, calls: [], text: names.length === 0 ? withoutTools(text) : done };
  return { ...common, text: '', calls: [{ id: `call_${id}`, ...call }] };
}

/** Codex gives its own models one tool, which runs JavaScript that calls the others; it is told of among the messages. */
const runsScripts = (text: string): boolean =>
  text.includes('"additional_tools"') && !text.includes('"custom_tool_call_output"');

function script(outgoing: ServerResponse, mood: 'write' | 'shell'): void {
  const patch = `*** Begin Patch\n*** Add File: ${written}\n+${content}*** End Patch`;
  const called =
    mood === 'write' ? `apply_patch(${JSON.stringify(patch)})` : `exec_command({ cmd: ${JSON.stringify(forbidden)} })`;
  const input = `text(await tools.${called});`;
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'exec', input, status: 'completed' };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage: responsesUsage };
  outgoing.writeHead(200, { 'content-type': responses.contentType });
  outgoing.write(
    namedSse({ type: 'response.created', ...{ response: { ...response, status: 'in_progress', output: [] } } }),
  );
  outgoing.write(namedSse({ type: 'response.output_item.done', ...{ output_index: 0, item } }));
  outgoing.end(namedSse({ type: 'response.completed', ...{ response } }));
}

const responsesUsage = {
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.input + usage.output,
};

/** aider sends no tools: its model writes changes as text. What else has none asks for a title. */
const withoutTools = (text: string): string =>
  text.includes('SEARCH/REPLACE')
    ? `${written}\n\`\`\`\n<<<<<<< SEARCH\n=======\nhello from the model\n>>>>>>> REPLACE\n\`\`\`\n\n${done}`
    : text.includes('custom_tool_call_output')
      ? done
      : 'A title';

const content = 'hello from the model\n';
const forbidden = `python3 -c "open('ran.txt','w').write('x')"`;

function callOf(name: string, mood: 'write' | 'shell'): { tool: string; input: string } | undefined {
  const input = (mood === 'write' ? writes : shells)[name];
  return input === undefined ? undefined : { tool: name, input: JSON.stringify(input) };
}

const writes: Readonly<Record<string, object>> = {
  Write: { file_path: written, content },
  write: { filePath: written, content },
  write_file: { file_path: written, content },
  exec_command: { cmd: `echo hello from the model > ${written}` },
  shell_command: { command: `echo hello from the model > ${written}` },
};

const shells: Readonly<Record<string, object>> = {
  Bash: { command: forbidden },
  bash: { command: forbidden, description: 'write a file' },
  exec_command: { cmd: forbidden },
};

function answer(outgoing: ServerResponse, wire: Wire, { body, reply }: { body: Body; reply: WireReply }): void {
  if (!wire.streams({ ...body })) {
    return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wire.whole(reply)));
  }
  outgoing.writeHead(200, { 'content-type': wire.contentType });
  for (const piece of wire.pieces(reply)) outgoing.write(piece);
  outgoing.end();
}

function fail(outgoing: ServerResponse, wire: Wire, status: number, message: string, more: object = {}): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ ...wire.error(status, message), ...more }));
}

/** The limit of a subscription, in the words of its provider: Anthropic's are headers, OpenAI's a member of the error. */
function planLimit(outgoing: ServerResponse, wire: Wire): void {
  const resetsAt = Math.floor(Date.now() / 1_000) + planLimitSeconds;
  outgoing.setHeader('anthropic-ratelimit-unified-status', 'rejected');
  outgoing.setHeader('anthropic-ratelimit-unified-representative-claim', 'five_hour');
  outgoing.setHeader('anthropic-ratelimit-unified-reset', String(resetsAt));
  if (wire !== responses) return fail(outgoing, wire, 429, 'This request would exceed your account limit.');
  const error = {
    type: 'usage_limit_reached',
    message: 'The usage limit has been reached',
    plan_type: 'plus',
    resets_at: resetsAt,
  };
  return fail(outgoing, wire, 429, '', { error });
}

/** A model that says no in the way of its provider: a reason to stop, or a part of its own. */
function refuse(outgoing: ServerResponse, wire: Wire, body: Body): void {
  const reply = { id: 'refused', model: 'scripted', text: wire === responses ? 'No.' : '', calls: [], usage };
  const asRefusal = (piece: string): string =>
    piece
      .replace('"end_turn"', '"refusal"')
      .replace('"STOP"', '"SAFETY"')
      .replaceAll('"type":"output_text","text"', '"type":"refusal","refusal"')
      .replaceAll('response.output_text.', 'response.refusal.');
  const streams = wire.streams({ ...body });
  const pieces = streams ? wire.pieces(reply) : [JSON.stringify(wire.whole(reply))];
  outgoing.writeHead(200, { 'content-type': streams ? wire.contentType : 'application/json' });
  for (const piece of pieces) outgoing.write(asRefusal(piece));
  outgoing.end();
}
