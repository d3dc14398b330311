import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  McpServer,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { isAtLeast, type Identity, type Role } from '../http/identity.ts';
import { answered } from '../wire/outcomes.ts';
import { refusal } from '../wire/problem.ts';
import { actTools } from './act-tools.ts';
import { answerDecision, answerInput } from './answer-decision.ts';
import type { ApiAnswer, ApiRequest, CallApi } from './call-api.ts';
import { lookTools } from './look-tools.ts';
import { ToolRefusal, type Tool } from './tool.ts';

export interface McpOptions {
  /** The person on whose machine the server runs. */
  user: string;
  role: Role;
  version: string;
  callApi: CallApi;
  /** Errors of the connection. */
  log: (error: unknown) => void;
}

const instructions =
  'Heddle runs long tasks of agents and asks a person where it must. Start a task, then call wait_for_task until it ends or waits. Questions are answered by the person alone.';

/** Serves the tools by stdin and stdout, to clients of both protocol versions. */
export function serveMcp(options: McpOptions): StdioServerHandle {
  return serveStdio(() => createServer(options), { onerror: options.log });
}

function createServer(options: McpOptions): McpServer {
  const { role, version } = options;
  const server = new McpServer(
    { name: 'heddle', title: 'Heddle', version },
    { capabilities: { tools: {} }, instructions },
  );
  // A tool beyond the role is not even listed.
  for (const tool of [...lookTools, ...actTools]) if (isAtLeast(role, tool.role)) addTool(server, tool, options);
  if (isAtLeast(role, 'decider')) addAnswering(server, options);
  return server;
}

function addTool(server: McpServer, tool: Tool, options: McpOptions): void {
  const { name, title, description, input, output, changes } = tool;
  const annotations = {
    readOnlyHint: changes === undefined,
    destructiveHint: changes === 'ends',
    openWorldHint: false,
  };
  server.registerTool(
    name,
    { title, description, inputSchema: input, outputSchema: output, annotations },
    (args, ctx) =>
      refusing(async (): Promise<CallToolResult> => {
        const identity = identify(server, ctx, options);
        const { text, data } = await tool.run({
          args,
          identity,
          ask: asker(options.callApi, identity),
          signal: ctx.mcpReq.signal,
        });
        return { content: [{ type: 'text', text }], structuredContent: output.parse(data) };
      }),
  );
}

function addAnswering(server: McpServer, options: McpOptions): void {
  server.registerTool(
    'answer_decision',
    {
      title: 'Have a question answered',
      description:
        'Puts an open question before the person who uses this client, and sends what the person chooses. You cannot choose. A question about one exact action is only named, with its address.',
      inputSchema: answerInput,
      outputSchema: answered,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    (args, ctx) =>
      refusing(() => {
        const identity = identify(server, ctx, options);
        const ask = asker(options.callApi, identity);
        const responses = ctx.mcpReq.inputResponses;
        return answerDecision({ args, identity, ask, canAsk: canAsk(server, ctx), responses });
      }),
  );
}

/** A refusal is a result that the model reads, not an error of the protocol. */
async function refusing<T>(run: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolRefusal) return { isError: true, content: [{ type: 'text', text: error.message }] };
    throw error;
  }
}

function asker(callApi: CallApi, identity: Identity): (request: ApiRequest) => Promise<ApiAnswer> {
  return async (request) => {
    const answer = await callApi(identity, request);
    if (answer.ok) return answer;
    const parsed = refusal.safeParse(answer.json);
    if (!parsed.success) throw new ToolRefusal(answer.text);
    const { code, message, hint, problems = [] } = parsed.data.error;
    const listed = problems.map(
      (problem) => `- ${problem.message}${problem.where === undefined ? '' : ` (${problem.where})`}`,
    );
    throw new ToolRefusal([`${message} (${code})`, ...listed, ...(hint === undefined ? [] : [hint])].join('\n'));
  };
}

/** Names the person and the client: events tell both as the one who acted. */
function identify(server: McpServer, ctx: ServerContext, { user, role }: McpOptions): Identity {
  const named = readEnvelope(ctx, CLIENT_INFO_META_KEY) ?? readHandshake(server).info;
  const client = clientInfo.safeParse(named).data?.name;
  const plain = client?.replace(/[^\p{L}\p{Nd}._ -]/gu, '').slice(0, 64) ?? '';
  return { name: `${user} via ${plain === '' ? 'MCP' : plain}`, role, expiresAt: null };
}

/** Each request of the newer protocol describes its client. */
const readEnvelope = (ctx: ServerContext, key: string): unknown =>
  z.record(z.string(), z.unknown()).safeParse(ctx.mcpReq.envelope).data?.[key];

/** The older protocol describes the client once, when the connection begins; nothing else tells it. */
function readHandshake({ server }: McpServer): { info: unknown; capabilities: unknown } {
  // oxlint-disable-next-line typescript/no-deprecated
  return { info: server.getClientVersion(), capabilities: server.getClientCapabilities() };
}

const clientInfo = z.looseObject({ name: z.string() });

const capabilities = z.looseObject({ elicitation: z.looseObject({}).optional() });

/** The newer protocol names the client's capabilities in each request. An empty `elicitation` is a form. */
function canAsk(server: McpServer, ctx: ServerContext): boolean {
  const named = readEnvelope(ctx, CLIENT_CAPABILITIES_META_KEY) ?? readHandshake(server).capabilities;
  const elicitation = capabilities.safeParse(named).data?.elicitation;
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}
