import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

import { activityLimits } from '../limits/activity-limits.ts';
import { systemCode } from '../system/system-error.ts';

/** Asks name servers. Node's own has this shape; tests answer themselves. */
export interface NameServers {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  cancel(): void;
}

/**
 * Node's own. Not `dns.lookup`: two of those that hang hold every other one of the process, those of models too, and none can be cancelled.
 */
export const createNameServers = (): NameServers =>
  new Resolver({ timeout: activityLimits.web.lookupTimeout, tries: activityLimits.web.lookupTries });

/** Answers of a name server that mean: there is no such address. */
const noAddress: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * All addresses of a host, IPv4 first: at least one, or an error. A name that ends in `localhost` is this machine, whatever a name server
 * says. A family whose lookup fails is not there, as long as the other one answers: only addresses that were seen are dialled.
 */
export async function resolveHost(host: string, servers: NameServers, signal: AbortSignal): Promise<string[]> {
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) return [name];
  const plain = name.toLowerCase().replace(/\.$/, '');
  if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const cancel = (): void => servers.cancel();
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([servers.resolve4(plain), servers.resolve6(plain)]);
    signal.throwIfAborted();
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const errors = [four, six].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    throw new LookupError(
      host,
      errors.find((error) => !noAddress.has(systemCode(error) ?? '')),
    );
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** A name has no address, or nobody could be asked. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** Nobody answered: it may work a moment later. */
  readonly isTemporary: boolean;

  constructor(host: string, cause: unknown) {
    const isTemporary = cause !== undefined;
    super(isTemporary ? `No name server answered for ${host}.` : `There is no host ${host}.`, { cause });
    this.isTemporary = isTemporary;
  }
}
