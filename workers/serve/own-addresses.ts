import type { OwnAddresses } from '../../client/http/app-parts.ts';
import { isLoopback, type ServerSettings } from '../settings/server-settings.ts';
import { formatAuthority } from './listen.ts';

const anywhere = ['0.0.0.0', '::'];

/** The names under which a server is reached: its own address, the usual names of this machine, and that of the proxy in front of it. */
export function listOwnAddresses(
  { host, publicUrl }: Pick<ServerSettings, 'host' | 'publicUrl'>,
  port: number,
): OwnAddresses {
  const isEverywhere = anywhere.includes(host);
  const names = isEverywhere || isLoopback(host) ? ['127.0.0.1', 'localhost'] : [];
  const own = [...new Set([...(isEverywhere ? [] : [host]), ...names])].map((name) => formatAuthority(name, port));
  const origins = [...own.map((authority) => `http://${authority}`), ...(publicUrl === '' ? [] : [publicUrl])];
  return {
    hosts: publicUrl === '' ? own : [...own, new URL(publicUrl).host],
    origins,
    console: publicUrl === '' ? (origins[0] ?? '') : publicUrl,
  };
}
