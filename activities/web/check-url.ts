import { activityLimits } from '../limits/activity-limits.ts';
import { readHost } from '../../domain/gates/host-pattern.ts';
import { formatHost } from './guarded-agent.ts';

/** An address that may be asked for, as far as its text tells: the connector checks where it leads. */
export interface WebAddress {
  url: URL;
  /** The host as rules name it. */
  host: string;
}

/** Ports of the web, and those that programs of their own use; between them are those of mail, files and machines. */
const isWebPort = (port: string): boolean => ['', '80', '443'].includes(port) || Number(port) >= 1024;

/** Reads an address. A text is a sentence about what is wrong with it. Whatever is behind `#` is the reader's alone. */
export function checkUrl(text: string, base: string | undefined, internal: readonly string[]): WebAddress | string {
  const url = URL.parse(text, base);
  if (url === null) return 'It is not an address: write it whole, such as https://docs.python.org/3/.';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `Only http and https are fetched, not ${url.protocol.slice(0, 20)}`;
  if (url.username !== '' || url.password !== '') return 'An address with a user name or a password is not fetched.';
  const host = readHost(url.hostname);
  if (host === undefined || url.href.length > activityLimits.web.url) return 'The address cannot be used.';
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  if (!isWebPort(url.port) && !internal.includes(formatHost(url.hostname, port)))
    return `Port ${url.port} is not fetched: only 80, 443 and those from 1024 on are.`;
  url.hash = '';
  return { url, host };
}
