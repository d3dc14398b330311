import type { ToolSchema } from '../conversation/message.ts';
import type { Problem } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import { formatBytes } from '../text/bytes.ts';
import { cautiousHints } from './hints.ts';
import type { ListedTool } from './listed-tool.ts';
import { buildToolName, fitsPattern } from '../text/tool-name.ts';
import type { ToolOrigin, ToolServer } from '../types/basic/tool-server.ts';

/** A tool of a server as models and people name it. */
export interface ForeignSchema extends ToolSchema {
  from: ToolOrigin;
}

/** The tools that a server has now. */
export interface ServerTools {
  server: ToolServer;
  tools: readonly ListedTool[];
}

export interface NamedTools {
  tools: ForeignSchema[];
  problems: Problem[];
  /** Tools that are left out, which stops nothing. */
  warnings: string[];
}

/**
 * Names the tools of all servers of a task. A name that two tools of servers have is the first one's; a name of a tool file that is taken
 * is a problem, since its author can choose another.
 */
export function nameTools(servers: readonly ServerTools[], taken: ReadonlySet<string>): NamedTools {
  const named: NamedTools = { tools: [], problems: [], warnings: [] };
  const names = new Map<string, string>([...taken].map((name) => [name, 'Heddle']));
  for (const { server, tools } of servers) {
    const { tools: patterns } = server;
    const chosen = patterns === undefined ? tools : tools.filter(({ name }) => fitsPattern(name, patterns));
    named.problems.push(...tooMany(server, chosen.length), ...missing(server, chosen));
    for (const tool of chosen.slice(0, limits.servers.tools)) addTool(tool, server, { named, names });
  }
  named.problems.push(...tooLarge(named.tools));
  return named;
}

function addTool(
  { name: tool, description, input, hints }: ListedTool,
  server: ToolServer,
  { named, names }: { named: NamedTools; names: Map<string, string> },
): void {
  const isFile = server.via.kind === 'file';
  const name = isFile ? tool : buildToolName(server.name, tool);
  const owner = names.get(name);
  if (owner !== undefined) {
    if (isFile) named.problems.push(nameTaken(name, server.name, owner));
    else named.warnings.push(`${tool} of the server ${server.name} is dropped: ${owner} has a tool ${name} too`);
    return;
  }
  names.set(name, isFile ? server.name : `the server ${server.name}`);
  const used = server.hints ? hints : cautiousHints(hints);
  named.tools.push({ name, description, input, from: { server: server.name, tool, hints: used } });
}

const nameTaken = (name: string, file: string, owner: string): Problem => ({
  code: 'TOOL_NAME_TAKEN',
  message: `The tool ${name} of ${file} has a name that is taken: ${owner} has one of that name`,
  where: file,
  hint: 'Export it under another name.',
});

const placeOf = ({ name, via }: ToolServer): string => (via.kind === 'file' ? 'tools.files' : `mcp.${name}.tools`);

function tooMany(server: ToolServer, count: number): Problem[] {
  const { tools: most } = limits.servers;
  if (count <= most) return [];
  return [
    {
      code: 'MCP_TOO_MANY_TOOLS',
      message: `The server ${server.name} has ${count} tools; at most ${most} of one server are sent to a model`,
      where: placeOf(server),
      hint: `Choose some: \`tools = ["get_*"]\` in \`[mcp.${server.name}]\`.`,
    },
  ];
}

/** A pattern may fit nothing today; a name that no tool has is a mistake. */
function missing({ name, tools = [] }: ToolServer, chosen: readonly ListedTool[]): Problem[] {
  const unknown = tools.filter((entry) => !entry.includes('*') && chosen.every((tool) => tool.name !== entry));
  return unknown.map((entry) => ({
    code: 'MCP_SERVER_FAILED',
    message: `The server ${name} has no tool ${entry}`,
    where: `mcp.${name}.tools`,
    hint: `Remove it from \`tools\`, or correct it.`,
  }));
}

const encoder = new TextEncoder();

/** Bytes of a tool as a model is sent it with every request. */
export const measureSchema = ({ name, description, input }: ToolSchema): number =>
  encoder.encode(JSON.stringify({ name, description, input })).byteLength;

function tooLarge(tools: readonly ForeignSchema[]): Problem[] {
  const { schemaBytes } = limits.servers;
  const bySize = Map.groupBy(tools, ({ from }) => from.server);
  const sizes = [...bySize].map(([server, own]): [string, number] => [
    server,
    own.reduce((sum, tool) => sum + measureSchema(tool), 0),
  ]);
  const bytes = sizes.reduce((sum, [, each]) => sum + each, 0);
  if (bytes <= schemaBytes) return [];
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 3);
  const named = largest.map(([server, each]) => `${server} ${formatBytes(each)}`).join(', ');
  return [
    {
      code: 'MCP_TOO_MANY_TOOLS',
      message: `The tools of all servers take ${formatBytes(bytes)} of every model request; at most ${formatBytes(schemaBytes)}: ${named}`,
      where: 'mcp',
      hint: 'Choose some with `tools = ["get_*"]` in the table of each server.',
    },
  ];
}
