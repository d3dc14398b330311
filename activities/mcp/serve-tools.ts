/*
 * Serves the tools that a file exports, as an MCP server on the standard streams. It is a program of its own: it runs in the sandbox beside
 * the file, with Node and zod and nothing else of ours. The standard output is the protocol's; what the file prints goes to the errors.
 */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

interface Helpers {
  signal: AbortSignal;
  /** The idempotency key of the call: the same when it runs again. */
  key: string;
  progress: (message: string) => void;
}

/** An export that is a tool. */
interface OwnTool {
  description: string;
  input?: unknown;
  mutates?: boolean;
  idempotent?: boolean;
  destructive?: boolean;
  run: (input: unknown, helpers: Helpers) => unknown;
  settle?: (input: unknown, helpers: Pick<Helpers, 'key' | 'signal'>) => unknown;
}

interface Request {
  id?: string | number;
  method?: string;
  params?: { name?: string; arguments?: unknown; requestId?: unknown; protocolVersion?: unknown; _meta?: Meta };
}

type Meta = Record<string, unknown>;

const standardOutput = 1;
const nameForm = /^[A-Za-z0-9_-]{1,64}$/;
const running = new Map<string | number, AbortController>();

/** Written whole and at once: a pipe that is full for a moment is tried again. */
function send(message: object): void {
  let rest = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const text = (value: string, isError = false): object => ({
  content: [{ type: 'text', text: value }],
  ...(isError ? { isError } : {}),
});

/** A value of a tool as the result of its call: a text, a result of MCP, or JSON. */
function toResult(value: unknown): object {
  if (typeof value === 'string') return text(value);
  if (value === undefined) return text('done');
  const isResult = typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
  return isResult ? value : text(JSON.stringify(value, null, 2));
}

const isTool = (value: unknown): value is OwnTool =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';

const isSchema = (input: unknown): input is z.ZodType =>
  typeof input === 'object' && input !== null && '_zod' in input && 'safeParse' in input;

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

function describe(name: string, tool: OwnTool): object {
  const { description, input = { type: 'object', properties: {} }, mutates, idempotent, destructive, settle } = tool;
  if (!nameForm.test(name)) refuse(`The export ${name} is no name of a tool: use letters, digits and _, at most 64.`);
  if (typeof description !== 'string' || description === '') refuse(`The tool ${name} has no description.`);
  const schema = isSchema(input) ? z.toJSONSchema(input, { io: 'input' }) : input;
  if (typeof schema !== 'object' || schema === null || !('type' in schema) || schema.type !== 'object')
    refuse(`The input of the tool ${name} is no schema of an object.`);
  return {
    name,
    description,
    inputSchema: schema,
    annotations: {
      ...(mutates === false ? { readOnlyHint: true } : {}),
      ...(idempotent === true ? { idempotentHint: true } : {}),
      ...(destructive === true ? { destructiveHint: true } : {}),
    },
    ...(typeof settle === 'function' ? { _meta: { 'heddle/settles': true } } : {}),
  };
}

/** Runs one call; whatever the tool throws is its result. */
async function call(tools: ReadonlyMap<string, OwnTool>, { id = 0, params = {} }: Request): Promise<object> {
  const { name = '', arguments: given = {}, _meta: meta = {} } = params;
  const settles = name.endsWith('/settle');
  const tool = tools.get(settles ? name.slice(0, -'/settle'.length) : name);
  if (tool === undefined) return text(`There is no tool ${name} in this file.`, true);
  const parsed = isSchema(tool.input) ? tool.input.safeParse(given) : { success: true as const, data: given };
  if (!parsed.success) return text(`The arguments do not fit. ${z.prettifyError(parsed.error)}`, true);
  const stop = new AbortController();
  running.set(id, stop);
  const { progressToken, 'heddle/key': sent } = meta;
  const key = typeof sent === 'string' ? sent : '';
  let steps = 0;
  const progress = (message: string): void => {
    if (progressToken === undefined || typeof message !== 'string') return;
    send({ method: 'notifications/progress', params: { progressToken, progress: (steps += 1), message } });
  };
  try {
    if (settles) return toResult(await tool.settle?.(parsed.data, { key, signal: stop.signal }));
    return toResult(await tool.run(parsed.data, { key, progress, signal: stop.signal }));
  } catch (error) {
    return text(error instanceof Error ? error.message : String(error), true);
  } finally {
    running.delete(id);
  }
}

async function answer(tools: ReadonlyMap<string, OwnTool>, request: Request): Promise<void> {
  const { id, method, params = {} } = request;
  if (method === 'notifications/cancelled') {
    const { requestId } = params;
    if (typeof requestId === 'string' || typeof requestId === 'number') running.get(requestId)?.abort();
  }
  if (id === undefined) return;
  switch (method) {
    case 'initialize':
      return send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'heddle-tools', version: '1' },
        },
      });
    case 'ping':
      return send({ id, result: {} });
    case 'tools/list':
      return send({ id, result: { tools: [...tools].map(([name, tool]) => describe(name, tool)) } });
    case 'tools/call':
      return send({ id, result: await call(tools, request) });
    default:
      return send({ id, error: { code: -32_601, message: 'Method not found' } });
  }
}

/** A file without a zod of its own has ours. */
function shareZod(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'zod' && !specifier.startsWith('zod/')) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

/** The first line of a syntax error's stack is the file with the line. */
const explainLoad = ({ name, message, stack = '' }: Error): string =>
  `${name}: ${message}${name === 'SyntaxError' ? ` (${stack.split('\n')[0] ?? ''})` : ''}`;

async function load(path: string): Promise<ReadonlyMap<string, OwnTool>> {
  const module: unknown = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) =>
    refuse(error instanceof Error ? explainLoad(error) : String(error)),
  );
  const exported: [string, unknown][] = typeof module === 'object' && module !== null ? Object.entries(module) : [];
  const tools = new Map(exported.filter((entry): entry is [string, OwnTool] => isTool(entry[1])));
  if (tools.size === 0) refuse('It exports no tool: an object with `description`, `input` and `run`.');
  for (const [name, tool] of tools) describe(name, tool);
  return tools;
}

/** Nothing that the file prints may come between two messages. */
function redirectOutput(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // A tool that throws late, after its call, is told to people and ends nothing.
  process.on('uncaughtException', (error) => void process.stderr.write(`${error.stack ?? error.message}\n`));
  process.on('unhandledRejection', (reason) => void process.stderr.write(`${String(reason)}\n`));
}

const [path] = process.argv.slice(2);
if (path === undefined) refuse('Name a file that exports tools.');
redirectOutput();
shareZod();
const tools = await load(path);
const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => {
  let request: Request | undefined;
  try {
    request = JSON.parse(line) as Request;
  } catch {
    send({ id: null, error: { code: -32_700, message: 'Parse error' } });
  }
  if (request !== undefined) void answer(tools, request);
});
lines.on('close', () => process.exit(0));
