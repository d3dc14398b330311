import type { Problem } from '../errors/heddle-error.ts';
import { limits } from '../limits/domain-limits.ts';
import { findToolProblem } from '../plan/unknown-tool.ts';
import type { Config } from '../schema/config-schema.ts';
import type { ServerConfig } from '../schema/tools-schema.ts';
import type { ToolServer } from '../types/basic/tool-server.ts';
import { locateValue } from './check-config.ts';
import type { ConfigLayer } from './layer.ts';

/** Keys that mean something only where Heddle starts the server itself. */
const ofPrograms = ['env', 'network', 'workspace', 'read', 'sandbox', 'home'] as const;

/** Finds servers that no layer finished: each has a program or an address, and only the keys that belong to it. */
export function checkServers({ mcp = {} }: Config, layers: readonly ConfigLayer[]): Problem[] {
  return Object.entries(mcp).flatMap(([name, server]) =>
    findServerProblems(name, server).map(({ key, message, hint }) => ({
      code: 'CONFIG_WRONG_TYPE' as const,
      message,
      hint,
      where: locateValue(layers, ['mcp', name, ...(key === undefined ? [] : [key])]),
    })),
  );
}

/** Finds names of tools, in executors of the config, that no tool of this config can have. */
export function checkToolNames(
  { executors = {}, mcp = {}, tools = {} }: Config,
  layers: readonly ConfigLayer[],
): Problem[] {
  const names = { servers: Object.keys(mcp), ownTools: (tools.files ?? []).length > 0 };
  return Object.entries(executors).flatMap(([name, executor]) => {
    const entries: unknown = 'tools' in executor ? executor.tools : undefined;
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown, index): Problem[] => {
      const problem = typeof entry === 'string' ? findToolProblem(entry, names) : undefined;
      if (problem === undefined) return [];
      const where = locateValue(layers, ['executors', name, 'tools', index]);
      return [{ code: 'CONFIG_WRONG_TYPE', ...problem, where }];
    });
  });
}

interface ServerProblem {
  key?: string;
  message: string;
  hint: string;
}

function findServerProblems(name: string, server: ServerConfig): ServerProblem[] {
  const { command, url, tokenEnv } = server;
  const which = `The server of tools \`${name}\``;
  if (command === undefined && url === undefined)
    return [{ message: `${which} has neither \`command\` nor \`url\`.`, hint: 'Set one of the two.' }];
  if (command !== undefined && url !== undefined)
    return [{ key: 'url', message: `${which} has both \`command\` and \`url\`.`, hint: 'Remove one of the two.' }];
  if (command?.[0] === '')
    return [{ key: 'command', message: `${which} names no program.`, hint: 'Give the program as the first entry.' }];
  if (url !== undefined)
    return ofPrograms
      .filter((key) => server[key] !== undefined)
      .map((key) => ({
        key,
        message: `\`${key}\` of the server of tools \`${name}\` is for a program: a server with \`url\` runs elsewhere.`,
        hint: 'Remove it.',
      }));
  if (tokenEnv === undefined) return [];
  return [
    {
      key: 'tokenEnv',
      message: `\`tokenEnv\` of the server of tools \`${name}\` is for a server with \`url\`.`,
      hint: 'Name the variable in `env`.',
    },
  ];
}

/** The servers of a config that was checked, with their defaults. */
export const completeServers = ({ mcp = {} }: Pick<Config, 'mcp'>): ToolServer[] =>
  Object.entries(mcp).flatMap(([name, server]) => {
    const via = findVia(server);
    return via === undefined ? [] : [completeServer(name, server, via)];
  });

function findVia({ command, url, tokenEnv }: ServerConfig): ToolServer['via'] | undefined {
  if (command !== undefined) return { kind: 'program', command };
  if (url === undefined) return undefined;
  return { kind: 'http', url, ...(tokenEnv === undefined ? {} : { tokenEnv }) };
}

const completeServer = (name: string, server: ServerConfig, via: ToolServer['via']): ToolServer => ({
  name,
  via,
  env: server.env ?? [],
  network: server.network ?? false,
  workspace: server.workspace ?? 'write',
  read: server.read ?? [],
  sandbox: server.sandbox ?? true,
  home: server.home ?? false,
  ...(server.tools === undefined ? {} : { tools: server.tools }),
  hints: server.hints ?? true,
  optional: server.optional ?? false,
  warm: server.warm ?? false,
  start: server.start ?? limits.servers.start,
  timeout: server.timeout ?? limits.servers.timeout,
});

/** The server of one file of the user's own tools: the user wrote it, so what it says of its tools is taken for true. */
export const completeToolFile = (path: string, { tools = {} }: Pick<Config, 'tools'>): ToolServer => ({
  name: path,
  via: { kind: 'file', path },
  env: tools.env ?? [],
  network: tools.network ?? false,
  workspace: 'write',
  read: [],
  sandbox: true,
  home: false,
  hints: true,
  optional: false,
  warm: false,
  start: limits.servers.start,
  timeout: tools.timeout ?? limits.servers.timeout,
});
