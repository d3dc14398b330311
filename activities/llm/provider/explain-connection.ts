import type { ModelError } from '../ports/model.ts';
import { cutReply } from './explain-model-error.ts';
import { modelError, formatProvider, type KeyedRequest } from './model-trouble.ts';

/** Nobody listens there, or the way there is closed: waited for, as for any trouble of the machine. */
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** TLS names what it does not trust in many ways. */
const distrusted = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** A request that met no HTTP answer, or whose answer ended in the middle. */
export function explainConnection(error: unknown, subject: KeyedRequest): ModelError {
  const codes = listCodes(error);
  const code = codes.find((candidate) => unreachable.has(candidate) || distrusted.test(candidate));
  const by = formatProvider(subject);
  if (code !== undefined) {
    const trusted = !distrusted.test(code);
    return modelError('environment', subject, {
      names: [code],
      summary: trusted
        ? `${by} cannot be reached (${code}).`
        : `${by} has a certificate that is not trusted (${code}).`,
    });
  }
  return cutReply(subject, codes.join(' '));
}

/** Codes of an error, of its causes, and of the several that one attempt to connect can have. Only codes: messages name addresses. */
function listCodes(error: unknown, level = 0): string[] {
  if (level > 5 || typeof error !== 'object' || error === null) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const cause = 'cause' in error ? listCodes(error.cause, level + 1) : [];
  const several = error instanceof AggregateError ? error.errors.flatMap((one) => listCodes(one, level + 1)) : [];
  return [...code, ...cause, ...several];
}
