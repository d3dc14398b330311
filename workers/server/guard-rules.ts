import type { IncomingHttpHeaders } from 'node:http';

/** The headers of a request that tell where it comes from and what it wants. */
export interface GuardedRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Browsers say `none` for a link that a person opened, `same-origin` for what the page itself asks for. */
const ownSites: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Why a request is not for the Web UI at `authority` (host and port), or undefined when it is. A name that somebody made point to this
 * machine shows in Host, another page's script or form in Origin and Sec-Fetch-Site; none of the three can be set by a page.
 */
export function refusal(request: GuardedRequest, authority: string): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = request.headers;
  if (host !== authority) return 'it asks for another host';
  if (origin !== undefined && origin !== `http://${authority}`) return 'it comes from another page';
  if (!ownSites.includes(site)) return 'it comes from another site';
  // An absolute address would name a second host beside the header.
  if (request.url?.startsWith('/') !== true) return 'it names no path';
  return undefined;
}
