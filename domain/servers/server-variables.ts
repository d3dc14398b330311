import type { ToolServer } from '../types/basic/tool-server.ts';

/** Lists the variables that servers are given, each once. */
export const listServerVariables = (servers: readonly Pick<ToolServer, 'env' | 'via'>[]): string[] => [
  ...new Set(
    servers.flatMap(({ env, via }) => [
      ...env,
      ...(via.kind === 'http' && via.tokenEnv !== undefined ? [via.tokenEnv] : []),
    ]),
  ),
];
