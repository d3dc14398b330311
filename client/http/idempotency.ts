import { createHash } from 'node:crypto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Call } from './route.ts';

/** The header by which a request that is sent again gets the first answer. */
export const keyHeader = {
  name: 'Idempotency-Key',
  description:
    '1 to 200 printable characters. The same key again gets the first answer, as long as the server keeps the task.',
};

type Keyed = Pick<Call<unknown, unknown>, 'request' | 'identity'>;

/** The id that a request with a key has, for one person and one address; undefined without a key. */
export function readKeyId({ request, identity }: Keyed): string | undefined {
  const key = request.headers.get(keyHeader.name);
  if (key === null) return undefined;
  if (!/^[\x20-\x7e]{1,200}$/.test(key))
    throw new HeddleError({
      code: 'REQUEST_INVALID',
      message: 'The key is not 1 to 200 printable characters',
      where: keyHeader.name,
    });
  return hashOf(identity.name, new URL(request.url).pathname, key);
}

/** The hash of a body, kept with the task that it started. */
export const hashBody = (body: unknown): string => hashOf(JSON.stringify(body));

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** As an option of a message. */
export function updateOf(call: Keyed): { updateId?: string } {
  const updateId = readKeyId(call);
  return updateId === undefined ? {} : { updateId };
}
