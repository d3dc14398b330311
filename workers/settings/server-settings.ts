import { resolve } from 'node:path';
import { readUserLayer } from '../../activities/config/read-config.ts';
import { rootOfStore, tokensFile } from '../../activities/home/home-layout.ts';
import { environmentLayer } from '../../domain/config/environment.ts';
import { checkLayer } from '../../domain/config/layer.ts';
import { defaultServer } from '../../domain/config/keys/server-keys.ts';
import type { Role } from '../../domain/types/basic/role.ts';
import { homeOfAnyVersion, type Environment } from '../home/home.ts';

/** `[server]` of the user's own file and the environment. */
export interface ServerSettings {
  host: string;
  port: number;
  /** False for the default port, instead of which another one may be chosen. */
  isPortGiven: boolean;
  /** The address that people type where a proxy is in front; empty without one. */
  publicUrl: string;
  /** The role of the home's own key. */
  local: Role | 'none';
  workspaces: readonly string[];
  tokensFile: string;
}

/** Flags of `heddle serve`, which win. */
export interface ServerFlags {
  host?: string;
  port?: number;
}

/** A project's file has no part in it: a folder that somebody downloads must not say who reaches this machine. */
export async function loadServerSettings(env: Environment, flags: ServerFlags = {}): Promise<ServerSettings> {
  const fromFile = (await readUserLayer(env))?.values.server;
  const checked = checkLayer(
    { server: { ...flags } },
    { originOf: () => ({ from: 'flag', place: '--host or --port' }) },
  );
  const given = { ...fromFile, ...environmentLayer(env, 'service').values.server, ...checked.values.server };
  const named = env['HEDDLE_TOKENS_FILE'];
  return {
    ...defaultServer,
    ...given,
    isPortGiven: given.port !== undefined,
    tokensFile: named === undefined || named === '' ? tokensFile(rootOf(env)) : resolve(named),
  };
}

const rootOf = (env: Environment): string => rootOfStore(homeOfAnyVersion(env).store);

/** True for an address that only programs of this machine reach. */
export const isLoopback = (host: string): boolean => host === '::1' || /^127\./.test(host);
