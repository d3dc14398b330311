import type { IncomingMessage } from 'node:http';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { OwnAddresses } from '../app-parts.ts';

/** Browsers say `none` for a link that a person opened, `same-origin` for what the page itself asks for. */
const ownSites: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Refuses what is not meant for this server. A name that somebody made point to this machine shows in Host, another page's script or form in
 * Origin and Sec-Fetch-Site; none of the three can be set by a page. A link to a page of the console may come from anywhere.
 */
export function guardRequest({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>, own: OwnAddresses): void {
  // An absolute address would name a second host beside the header.
  if (headers.host === undefined || !own.hosts.includes(headers.host) || url?.startsWith('/') !== true)
    throw new HeddleError({
      code: 'HOST_NOT_ALLOWED',
      message: 'The request asks for another host',
      hint: `Use ${own.console}; a name of your own goes into publicUrl under [server].`,
    });
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeignCall = isApiPath(url) && !ownSites.includes(site);
  if (isForeignCall || (origin !== undefined && !own.origins.includes(origin)))
    throw new HeddleError({
      code: 'ORIGIN_NOT_ALLOWED',
      message: 'The request comes from another page',
      hint: 'A program sends neither Origin nor Sec-Fetch-Site; a page has to be of this server.',
    });
}

export const isApiPath = (path: string): boolean => /^\/api(?:[/?]|$)/.test(path);
