import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { CodecKeys } from './codec-keys.ts';

const encrypted = 'binary/encrypted';
const keyIdName = 'encryption-key-id';
const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const { Payload: PayloadType } = proto.temporal.api.common.v1;

/** Encrypts a payload whole, its metadata too. The id of the key is bound to it and readable by everybody. */
export function encryptPayload(payload: Payload, { id, key }: CodecKeys['first']): Payload {
  const iv = randomBytes(ivBytes);
  const encipher = createCipheriv(cipher, key, iv).setAAD(Buffer.from(id));
  const data = [iv, encipher.update(PayloadType.encode(payload).finish()), encipher.final(), encipher.getAuthTag()];
  return {
    metadata: { encoding: Buffer.from(encrypted), [keyIdName]: Buffer.from(id) },
    data: Buffer.concat(data),
  };
}

/** The id of the key that a payload is encrypted with; undefined for a payload that is not encrypted. */
export function keyIdOf({ metadata }: Payload): string | undefined {
  if (Buffer.from(metadata?.['encoding'] ?? []).toString() !== encrypted) return undefined;
  return Buffer.from(metadata?.[keyIdName] ?? []).toString();
}

/** Undefined where the key is not there, or is another one of the same id, or the data was changed. */
function decryptPayload(payload: Payload, id: string, keys: CodecKeys | undefined): Payload | undefined {
  const key = keys?.find(id);
  const { data } = payload;
  if (key === undefined || !(data instanceof Uint8Array) || data.length < ivBytes + tagBytes) return undefined;
  try {
    const end = data.length - tagBytes;
    const decipher = createDecipheriv(cipher, key, data.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(id))
      .setAuthTag(data.subarray(end));
    return PayloadType.decode(Buffer.concat([decipher.update(data.subarray(ivBytes, end)), decipher.final()]));
  } catch {
    return undefined;
  }
}

/**
 * The codec of a worker. It never throws: one message of a stranger with an unknown key would otherwise fail all later workflow tasks. A
 * payload that stays closed is passed on as it is, and its reader refuses it.
 */
export const workerCodec = (keys: CodecKeys): PayloadCodec => ({
  encode: (payloads) => Promise.resolve(payloads.map((payload) => encryptPayload(payload, keys.first))),
  decode: (payloads) =>
    Promise.resolve(
      payloads.map((payload) => {
        const id = keyIdOf(payload);
        return id === undefined ? payload : (decryptPayload(payload, id, keys) ?? payload);
      }),
    ),
});

/** The codec of a person's program, with keys or without: what stays closed is an error that names the key. */
export const clientCodec = (keys: CodecKeys | undefined): PayloadCodec => ({
  encode: (payloads) =>
    Promise.resolve(keys === undefined ? payloads : payloads.map((payload) => encryptPayload(payload, keys.first))),
  decode: (payloads) => new Promise((resolve) => resolve(payloads.map((payload) => openOrThrow(payload, keys)))),
});

function openOrThrow(payload: Payload, keys: CodecKeys | undefined): Payload {
  const id = keyIdOf(payload);
  if (id === undefined) return payload;
  const decrypted = decryptPayload(payload, id, keys);
  if (decrypted === undefined) throw keyMissing(id);
  return decrypted;
}

/** The sender of the payload chose the id, so that it is not shown as it is. */
export const keyMissing = (id: string): HeddleError =>
  new HeddleError({
    code: 'CODEC_KEY_MISSING',
    message: `encrypted, key ${id.replace(/[^\w.-]/g, '?').slice(0, 64)} is missing`,
    hint: 'Add the key to the file that HEDDLE_CODEC_KEYS or `codec.keys` names.',
  });
