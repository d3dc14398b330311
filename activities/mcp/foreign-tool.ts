import * as z from 'zod';
import { assessTool } from '../../domain/gates/assess-tool.ts';
import type { ForeignSchema } from '../../domain/servers/name-tools.ts';
import { onlyReads } from '../../domain/servers/hints.ts';
import type { ToolSchema } from '../../domain/conversation/message.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import type { GateFacts } from '../../domain/types/basic/gate.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { failed, refusedBy } from '../tools/common/tool-result.ts';
import { UnfinishedToolError } from '../tools/common/tool.ts';
import type {
  CallEffect,
  MutatingTool,
  ReadingTool,
  Settled,
  Tool,
  ToolContext,
  ToolOutcome,
} from '../tools/common/tool.ts';
import { formatChangedSince } from '../tools/shell/changed-since.ts';
import { CallProblem, type ServerCall } from './open-server.ts';
import type { ServerConnections } from './server-connections.ts';
import { toOutcome } from './to-outcome.ts';

type Args = Record<string, unknown>;

/** The servers that foreign tools call, and what a call of theirs is known by. */
export interface ForeignParts {
  connections: Pick<ServerConnections, 'call' | 'timeoutOf'>;
  /** The idempotency key of a call by its id: the same in every execution of the attempt. */
  keyOf: (call: string) => string;
  gates: Pick<GateFacts, 'rules' | 'allowed'>;
  onProgress: (text: string) => void;
  /** Servers that may change the workspace. */
  writes: (server: string) => boolean;
}

/** Its server checks the arguments: a pattern of a foreign schema would run on our thread. */
const schema = z.record(z.string(), z.unknown());

/** The tools of servers that the frame of a conversation names. */
export const createForeignTools = (tools: readonly ToolSchema[], parts: ForeignParts): Tool[] =>
  tools.flatMap(({ from, ...tool }) => (from === undefined ? [] : [createForeignTool({ ...tool, from }, parts)]));

/** Decides if a server may change the workspace: without a sandbox any program may. */
export const mayWrite = (servers: readonly ToolServer[], name: string): boolean =>
  servers.some(
    (server) => server.name === name && server.via.kind !== 'http' && (server.workspace === 'write' || !server.sandbox),
  );

/**
 * A tool of a server as an agent calls it. By its hints it reads, or changes something. A tool that a rule asks about is always
 * gated, also where it says that it only reads.
 */
function createForeignTool(tool: ForeignSchema, parts: ForeignParts): Tool {
  const ruling = assessTool({ ...tool.from, name: tool.name }, { ...parts.gates, allowed: [] });
  return onlyReads(tool.from.hints) && ruling.kind !== 'ask' ? createReader(tool, parts) : createMutator(tool, parts);
}

const base = ({ name, description, from }: ForeignSchema, { connections }: ForeignParts) => ({
  name,
  description,
  schema,
  // Its own limit comes first, and says more.
  timeout: connections.timeoutOf(from.server) + activityLimits.commands.ending,
});

function createReader(tool: ForeignSchema, parts: ForeignParts): ReadingTool<Args> {
  return {
    ...base(tool, parts),
    kind: 'reads',
    run: async (args, context) => {
      const ruling = assessTool({ ...tool.from, name: tool.name }, parts.gates);
      if (ruling.kind !== 'allow') return refusedBy(ruling.why);
      return readAgain(() => call(tool, args, parts, context));
    },
  };
}

/** A connection that was lost under a read is opened again; a server that took too long is not asked twice. */
async function readAgain(run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  for (let left = activityLimits.servers.readTries - 1; ; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof UnfinishedToolError)) throw error;
      const isLost = error.cause instanceof CallProblem && error.cause.kind === 'lost';
      if (left === 0 || !isLost) return failed(error.message);
    }
  }
}

function createMutator(tool: ForeignSchema, parts: ForeignParts): MutatingTool<Args> {
  const { name, from } = tool;
  const writes = parts.writes(from.server);
  return {
    ...base(tool, parts),
    kind: 'mutates',
    interruptible: true,
    plan: (args, { call: id = '' }) =>
      Promise.resolve({
        action: `call \`${name}\` of ${from.server}`,
        files: [],
        command: { at: Date.now() },
        remote: {
          server: from.server,
          key: parts.keyOf(id),
          ...(writes ? { writes } : {}),
          ...(from.hints.destructive === true ? { destructive: true } : {}),
          ...(from.hints.settles === true ? { args } : {}),
        },
      }),
    assess: () => Promise.resolve(assessTool({ ...from, name }, parts.gates)),
    perform: (args, effect, context) => call(tool, args, parts, context, effect),
    settle: (effect, context) => settle(tool, effect, parts, context),
    evidence: async ({ command }, context) =>
      writes
        ? formatChangedSince(context, command?.at ?? 0, context.signal)
        : `Only ${from.server} knows: look it up there before you call it again.`,
  };
}

/** Throws `UnfinishedToolError` where nobody knows whether it took effect; a call that never reached its server has failed. */
async function call(
  { from }: Pick<ForeignSchema, 'from'>,
  args: Args,
  { connections, keyOf, onProgress }: ForeignParts,
  { signal, call: id = '' }: ToolContext,
  effect?: CallEffect,
): Promise<ToolOutcome> {
  const key = effect?.remote?.key ?? keyOf(id);
  const request: Omit<ServerCall, 'timeout'> = { tool: from.tool, args, key, signal, onProgress };
  try {
    return toOutcome(await connections.call(from.server, request));
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    const text = `${from.server} ${error.message}.`;
    switch (error.kind) {
      case 'answered':
        return failed(`${from.server} refused the call: ${error.message}`);
      case 'unsent':
        return failed(`${text} The call was not made.`);
      case 'late':
      case 'lost':
        throw new UnfinishedToolError(text, { cause: error });
    }
  }
}

/** The server's own word on a call, where it gives one; else its hints. */
async function settle(
  { from }: ForeignSchema,
  effect: CallEffect,
  { connections }: ForeignParts,
  { signal }: ToolContext,
): Promise<Settled> {
  const { hints, server, tool } = from;
  const key = effect.remote?.key ?? '';
  if (hints.settles === true) {
    const settled = await askServer(() =>
      connections.call(server, { tool: `${tool}/settle`, args: effect.remote?.args ?? {}, key, signal }),
    );
    if (settled !== 'unclear') return settled;
  }
  return onlyReads(hints) || (hints.idempotent === true && hints.destructive !== true) ? 'again' : 'unclear';
}

async function askServer(ask: () => Promise<Record<string, unknown>>): Promise<Settled> {
  try {
    const { text } = toOutcome(await ask());
    return text === 'done' || text === 'not-done' ? text : 'unclear';
  } catch (error) {
    if (error instanceof CallProblem) return 'unclear';
    throw error;
  }
}
