import { writeDuration } from '../../text/duration.ts';
import { limits } from '../../limits/domain-limits.ts';
import type { ConfigKey } from './config-key.ts';

const { start, timeout } = limits.servers;

const aboutServers =
  'Servers of tools (MCP), by `command` or `url`. `env` and `tokenEnv` name variables, `tools` the tools that are used; see docs/tools.md.';

/** `[mcp.NAME]` names the servers whose tools agents may use. */
export const mcpKeys = [
  {
    key: 'mcp.memory',
    about: aboutServers,
    example: {
      command: ['npx', '-y', '@modelcontextprotocol/server-memory'],
      env: ['MY_TOKEN?'],
      network: true,
      workspace: 'none',
      read: [],
      sandbox: true,
      home: true,
      tools: ['read_*', 'search_*'],
      hints: true,
      optional: false,
      warm: false,
      start: writeDuration(start),
      timeout: writeDuration(timeout),
    },
  },
  {
    key: 'mcp.remote',
    about: aboutServers,
    example: { url: 'https://mcp.example.org/mcp', tokenEnv: 'MY_TOKEN' },
  },
] as const satisfies readonly ConfigKey[];

/** `[tools]` names files with tools of the user's own. */
export const ownToolKeys = [
  { key: 'tools.files', about: 'Files that export tools of your own, relative to this file: "tools/*.ts".', value: [] },
  { key: 'tools.env', about: 'Variables that these tools are given.', value: [] },
  { key: 'tools.network', about: 'Network access of these tools.', value: false },
  { key: 'tools.timeout', about: 'Time for one call of such a tool.', value: writeDuration(timeout) },
] as const satisfies readonly ConfigKey[];
