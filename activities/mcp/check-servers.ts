import { toolNames } from '../../domain/executors/agent.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import { nameTools, type ForeignSchema, type ServerTools } from '../../domain/servers/name-tools.ts';
import { findMissingTools, selectTools } from '../../domain/servers/select-servers.ts';
import type { ToolServer } from '../../domain/types/basic/tool-server.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { nearest } from '../../domain/text/nearest.ts';
import { ServerProblem } from './open-server.ts';
import type { ServerPlace } from './server-place.ts';
import { findList, listTools, type ToolList } from './tool-lists.ts';

/** A server with its tools, or why it cannot be used. */
export type CheckedServer = { server: ToolServer } & ({ list: ToolList } | { why: string });

/** Lists the tools of all servers at once: each has its own time. */
export const listServers = (
  servers: readonly ToolServer[],
  place: ServerPlace,
  options: { signal: AbortSignal; anew?: boolean },
): Promise<CheckedServer[]> =>
  Promise.all(
    servers.map(async (server) => {
      try {
        return { server, list: await listTools(server, place, options) };
      } catch (error) {
        if (!(error instanceof ServerProblem)) throw error;
        return { server, why: error.message };
      }
    }),
  );

/** The facts of the preflight about servers: nothing of them is silently empty. */
export interface ServerReport {
  tools: ForeignSchema[];
  problems: Problem[];
  warnings: string[];
}

/** Names the tools of servers that were listed, with all that is wrong with any of them. */
export function reportServers(checked: readonly CheckedServer[]): ServerReport {
  const listed = checked.flatMap((each): ServerTools[] =>
    'list' in each ? [{ server: each.server, tools: each.list.tools }] : [],
  );
  const named = nameTools(listed, new Set(toolNames));
  const failed = checked.flatMap((each) => ('why' in each ? [each] : []));
  return {
    tools: named.tools,
    problems: [
      ...failed.filter(({ server }) => !server.optional).map(({ server, why }) => serverFailed(server, why)),
      ...named.problems,
    ],
    warnings: [
      ...failed
        .filter(({ server }) => server.optional)
        .map(({ server, why }) => `The server ${server.name} is dropped: ${why}`),
      ...checked.flatMap(({ server, ...each }) =>
        'list' in each && each.list.unusable > 0
          ? [
              `${each.list.unusable} tools of the server ${server.name} are dropped: they have no name, or take no object`,
            ]
          : [],
      ),
      ...named.warnings,
    ],
  };
}

/** A server that does not work, as a person is told of it. */
export function serverFailed({ name, via }: ToolServer, why: string): Problem {
  if (via.kind === 'file')
    return {
      code: 'TOOL_FILE_INVALID',
      message: `The file of tools ${via.path} cannot be used: ${why}`,
      where: 'tools.files',
      hint: 'Correct it; `heddle tools --check` loads it again.',
    };
  return {
    code: 'MCP_SERVER_FAILED',
    message: `The server of tools ${name} cannot be used: ${why}`,
    where: `mcp.${name}`,
    hint: 'Correct its table; `heddle tools --check` tries it again. With `optional = true` a task runs without it.',
  };
}

/** Names in `executor.tools` that no tool of a server has. A server that was dropped may have had them. */
export function findUnknownTools(
  subtasks: readonly Subtask[],
  { tools }: Pick<ServerReport, 'tools'>,
  dropped: readonly string[],
): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { id, executor } of subtasks) {
    if (executor.kind !== 'agent') continue;
    for (const name of findMissingTools(executor.foreign, tools)) {
      if (dropped.some((server) => name.startsWith(`mcp__${server}__`))) continue;
      const suggestion = nearest(name, [...toolNames, ...tools.map((tool) => tool.name)]);
      problems.set(name, {
        code: 'PLAN_WRONG_TYPE',
        message: `There is no tool ${name}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
        where: `subtask ${id}, executor.tools`,
        hint: '`heddle tools` lists all tools that there are.',
      });
    }
  }
  return [...problems.values()];
}

/**
 * The tools of servers that an attempt begins with. A server that is away now is not missed where an earlier list is at hand: its tools
 * answer with an error then. Throws a `ServerProblem`.
 */
export async function loadForeignTools(
  servers: readonly ToolServer[],
  foreign: readonly string[] | undefined,
  { place, signal }: { place: ServerPlace; signal: AbortSignal },
): Promise<ForeignSchema[]> {
  const checked = await listServers(servers, place, { signal });
  const listed: ServerTools[] = [];
  for (const each of checked) {
    const { server } = each;
    const list = 'list' in each ? each.list : await findList(server, place);
    if (list !== undefined) listed.push({ server, tools: list.tools });
    else if (!server.optional && 'why' in each) throw new ServerProblem(serverFailed(server, each.why).message);
  }
  return selectTools(foreign, nameTools(listed, new Set(toolNames)).tools);
}
