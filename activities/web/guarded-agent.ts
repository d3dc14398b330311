import { isIP } from 'node:net';

import type { Agent, buildConnector } from 'undici';

import { activityLimits } from '../limits/activity-limits.ts';
import { reachOf } from './public-address.ts';
import { createNameServers, resolveHost, type NameServers } from './resolve-host.ts';

const limits = activityLimits.web;

/** Opens a connection to an address that was checked: `hostname` is the address, `servername` the name for the certificate. */
export type Dial = buildConnector.connector;

/** The parts of a guarded connection that decide where it may lead. */
export interface GuardOptions {
  /** Hosts, each with its port, that may be on this machine or in a private network: `wiki.corp:443`, `[::1]:8080`. */
  internal?: readonly string[];
  /** Ends lookups too. */
  signal: AbortSignal;
  /** The machine's name servers where absent. */
  servers?: NameServers;
  /** Connects by TCP and TLS where absent. */
  dial?: Dial;
}

/** The host of a request leads to an address that must not be dialled. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * The only way out to addresses that a model or a server names. The check is in the connector, after everything that reads an address: each
 * connection looks its host up once, all answers must be allowed, and the first is dialled as it was checked. So neither a spelling, nor
 * a redirect, nor a name that leads elsewhere a moment later gets around it. It uses no proxy, whatever the environment says.
 */
export async function createGuardedAgent(options: GuardOptions): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const dial = options.dial ?? buildConnector({ allowH2: false, timeout: limits.connectTimeout });
  const connect: Dial = (target, callback) => {
    findAddress(target, options).then(
      (address) => dial({ ...target, hostname: address, ...nameForCertificate(target) }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
  return new Agent({ connect, allowH2: false, maxHeaderSize: limits.headerBytes });
}

/** A certificate is for the name, though the address is dialled. An address in a URL has no name. */
function nameForCertificate({ servername, hostname }: buildConnector.Options): { servername?: string } {
  const name = (servername ?? '') === '' ? hostname : servername;
  return name === undefined || isIP(name) !== 0 ? {} : { servername: name.replace(/\.$/, '') };
}

async function findAddress(
  { hostname, protocol, port }: buildConnector.Options,
  { internal = [], servers = createNameServers(), signal }: GuardOptions,
): Promise<string> {
  const addresses = await resolveHost(hostname, servers, signal);
  const isInternal = internal.includes(formatHost(hostname, portOf(protocol, port)));
  for (const address of addresses) {
    const reach = reachOf(address);
    if (reach === 'public' || (reach === 'private' && isInternal)) continue;
    const at = address === hostname ? '' : ` leads to ${address}, which`;
    throw new AddressRefused(`${hostname}${at} is not a public address.`);
  }
  const [first] = addresses;
  if (first === undefined) throw new AddressRefused(`${hostname} has no address.`);
  return first;
}

const portOf = (protocol: string, port: string): string =>
  port !== '' && Number(port) !== 0 ? port : protocol === 'https:' ? '443' : '80';

/** The form of `[web] internal`: a name without the dot at its end, an IPv6 address in brackets, and the port. */
export function formatHost(hostname: string, port: string): string {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name.includes(':') && !name.startsWith('[') ? `[${name}]:${port}` : `${name}:${port}`;
}
