import type { ConfigKey } from './config-key.ts';

/** The defaults of `[server]`. */
export const defaultServer = {
  host: '127.0.0.1',
  port: 7880,
  publicUrl: '',
  local: 'operator',
  workspaces: [],
} as const;

/** `[server]` sets the HTTP API and the console. */
export const serverKeys = [
  {
    key: 'server.host',
    about: "The address of the API and the console. Only in the user's own file; not for `--config`.",
    value: defaultServer.host,
  },
  {
    key: 'server.port',
    about:
      "The port of the API and the console. Where the default is taken, another one is chosen and kept. Only in the user's own file; not for `--config`.",
    value: defaultServer.port,
  },
  {
    key: 'server.publicUrl',
    about:
      "The https address that people type, where a proxy is in front. Only in the user's own file; not for `--config`.",
    value: defaultServer.publicUrl,
  },
  {
    key: 'server.local',
    about:
      "Role of this home's own key: operator, decider, viewer or none. Only in the user's own file; not for `--config`.",
    value: defaultServer.local,
  },
  {
    key: 'server.workspaces',
    about:
      "Folders in which tasks may be started by HTTP; empty means any. Only in the user's own file; not for `--config`.",
    value: defaultServer.workspaces,
  },
] as const satisfies readonly ConfigKey[];
