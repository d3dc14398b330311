import { AddressRefused } from './guarded-agent.ts';
import { LookupError } from './resolve-host.ts';

/** A request that brought no page. */
export interface WebTrouble {
  /** One sentence for the model. */
  text: string;
  /** The same request may work a moment later. */
  isTemporary: boolean;
  /** Refused, not failed: the address must not be dialled. */
  refused?: true;
}

/** Codes of connections that may work the next time. */
const temporary: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'It refuses connections.',
  ECONNRESET: 'It ended the connection.',
  EPIPE: 'It ended the connection.',
  UND_ERR_SOCKET: 'It ended the connection before the page was whole.',
  UND_ERR_CONNECT_TIMEOUT: 'It does not answer.',
  ETIMEDOUT: 'It does not answer.',
  EHOSTUNREACH: 'It cannot be reached.',
  ENETUNREACH: 'It cannot be reached.',
};

const permanent: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'The headers of its reply are too long.',
  HPE_HEADER_OVERFLOW: 'The headers of its reply are too long.',
};

/** Explains the error of a request. `fetch` wraps ours, and those of the system, in one of its own. */
export function explainTrouble(error: unknown): WebTrouble {
  const chain = listCauses(error);
  const refused = chain.find((one) => one instanceof AddressRefused);
  if (refused !== undefined) return { text: refused.message, isTemporary: false, refused: true };
  const lookup = chain.find((one) => one instanceof LookupError);
  if (lookup !== undefined) return { text: lookup.message, isTemporary: lookup.isTemporary };
  if (chain.some(({ message }) => message === 'bad port'))
    return { text: 'Its port belongs to another protocol.', isTemporary: false, refused: true };
  const codes = chain.flatMap((one) => ('code' in one && typeof one.code === 'string' ? [one.code] : []));
  for (const code of codes) {
    const text = temporary[code];
    if (text !== undefined) return { text, isTemporary: true };
    if (permanent[code] !== undefined) return { text: permanent[code], isTemporary: false };
    if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
      return { text: `Its certificate is not valid (${code}).`, isTemporary: false };
  }
  const [code] = codes;
  return { text: `Its reply cannot be read${code === undefined ? '' : ` (${code})`}.`, isTemporary: false };
}

function listCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 10; each = each.cause) chain.push(each);
  return chain;
}
