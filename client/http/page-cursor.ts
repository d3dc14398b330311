import { createHmac, timingSafeEqual } from 'node:crypto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';

const markBytes = 16;

/** Writes the server's mark of the next page as a cursor that is good for this filter alone. */
export function writeCursor(secret: Uint8Array, filter: unknown, next: Uint8Array): string {
  return Buffer.concat([seal(secret, filter, next), next]).toString('base64url');
}

/** Reads a cursor. Throws `CURSOR_INVALID` for one that was changed, or that belongs to another filter. */
export function readCursor(secret: Uint8Array, filter: unknown, cursor: string): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const next = bytes.subarray(markBytes);
  const mark = bytes.subarray(0, markBytes);
  if (bytes.length > markBytes && timingSafeEqual(mark, seal(secret, filter, next))) return next;
  throw new HeddleError({
    code: 'CURSOR_INVALID',
    message: 'The cursor does not belong to this list',
    where: 'cursor',
    hint: 'Use `next` of the page before with the same filter, or leave it out.',
  });
}

const seal = (secret: Uint8Array, filter: unknown, next: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(filter)).update('\0').update(next).digest().subarray(0, markBytes);
