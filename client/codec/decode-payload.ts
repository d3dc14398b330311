import type { Client } from '@temporalio/client';
import type { Payload, ProtoFailure } from '@temporalio/common';
import {
  decode,
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';

/** The part of a client that knows how values are written. */
export type Decoding = Pick<Client['options'], 'loadedDataConverter'>;

/**
 * Reads the value of a payload that was taken from a raw answer of the server, through the codec of the client.
 *
 * @throws HeddleError `CODEC_KEY_MISSING` where it is encrypted with another key.
 */
export const decodePayload = <Value>({ loadedDataConverter }: Decoding, payload: Payload): Promise<Value> =>
  decodeFromPayloadsAtIndex<Value>(loadedDataConverter, 0, [payload]);

/** Opens payloads without reading their values. */
export const openPayloads = ({ loadedDataConverter }: Decoding, payloads: Payload[]): Promise<Payload[]> =>
  decode(loadedDataConverter.payloadCodecs, payloads);

/** The message of a failure in a raw answer: encrypted failures carry it in a payload. */
export const decodeFailureMessage = async (
  { loadedDataConverter }: Decoding,
  failure: ProtoFailure | null | undefined,
): Promise<string | undefined> => (await decodeOptionalFailureToOptionalError(loadedDataConverter, failure))?.message;
