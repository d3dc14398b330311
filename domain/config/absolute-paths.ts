import { isTable } from '../input/is-table.ts';

/** Makes a path absolute, seen from the place that it was written in. */
export type ToAbsolute = (path: string) => string;

/** Makes the paths of a layer absolute, because later readers do not know which folder they were relative to. */
export function absolutePaths(raw: Record<string, unknown>, absolute: ToAbsolute): Record<string, unknown> {
  // An empty value, or one of another type, is kept: the check of the layer reports it as it was written.
  const toAbsolute = (path: unknown): unknown => (typeof path === 'string' && path !== '' ? absolute(path) : path);
  const { codec, providers, sandbox, server, mcp, tools, processes } = raw;
  return {
    ...raw,
    ...(isTable(codec) && Object.hasOwn(codec, 'keys') ? { codec: { ...codec, keys: toAbsolute(codec['keys']) } } : {}),
    ...(isTable(providers) ? { providers: withScripts(providers, toAbsolute) } : {}),
    ...(isTable(sandbox) && Array.isArray(sandbox['read'])
      ? { sandbox: { ...sandbox, read: sandbox['read'].map(toAbsolute) } }
      : {}),
    ...(isTable(processes) && Array.isArray(processes['paths'])
      ? { processes: { ...processes, paths: processes['paths'].map(toAbsolute) } }
      : {}),
    ...(isTable(server) && Array.isArray(server['workspaces'])
      ? { server: { ...server, workspaces: server['workspaces'].map(toAbsolute) } }
      : {}),
    ...(isTable(mcp) ? { mcp: withReadFolders(mcp, toAbsolute) } : {}),
    ...(isTable(tools) && Array.isArray(tools['files'])
      ? { tools: { ...tools, files: tools['files'].map(toAbsolute) } }
      : {}),
  };
}

function withReadFolders(servers: Record<string, unknown>, toAbsolute: (path: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      isTable(server) && Array.isArray(server['read']) ? { ...server, read: server['read'].map(toAbsolute) } : server,
    ]),
  );
}

function withScripts(providers: Record<string, unknown>, toAbsolute: (path: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => [
      name,
      isTable(provider) && Object.hasOwn(provider, 'script')
        ? { ...provider, script: toAbsolute(provider['script']) }
        : provider,
    ]),
  );
}
