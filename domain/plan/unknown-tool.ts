import { builtInToolNames } from '../executors/agent.ts';
import { quoteName } from '../input/problem.ts';
import { nearest } from '../text/nearest.ts';
import { isPattern } from '../text/tool-name.ts';

/** The part of a config that is about tools that are not Heddle's. */
export interface ForeignNames {
  servers: readonly string[];
  /** Files with tools are named, whose names are known when they are loaded. */
  ownTools: boolean;
}

/** Finds an entry of `tools` that no tool of this config can have. The names of a server's own tools are known when it has listed them. */
export function findToolProblem(
  entry: string,
  { servers, ownTools }: ForeignNames,
): { message: string; hint: string } | undefined {
  if (builtInToolNames.has(entry) || isPattern(entry)) return undefined;
  if (entry.startsWith('mcp__')) {
    if (servers.some((server) => entry.startsWith(`mcp__${server}__`))) return undefined;
    return {
      message: `${quoteName(entry)} is a tool of a server that the config does not have.`,
      hint: 'Add a table `[mcp.NAME]` to heddle.toml, or remove the tool.',
    };
  }
  if (ownTools || entry.includes('__')) return undefined;
  const suggestion = nearest(entry, builtInToolNames);
  const message = `There is no tool ${quoteName(entry)}`;
  if (suggestion !== undefined)
    return { message: `${message}; did you mean \`${suggestion}\`?`, hint: `Write \`${suggestion}\`.` };
  return { message: `${message}.`, hint: `Use some of: ${[...builtInToolNames].join(', ')}.` };
}
