import type { DataConverter } from '@temporalio/common';
import { clientCodec, workerCodec } from '../../client/codec/payload-codec.ts';
import { readCodecKeys } from '../../client/codec/read-keys.ts';
import { failureConverterPath, workflowBundle } from './workflow-bundle.ts';

export interface PreparedCodec {
  /** Undefined where nothing is encrypted. */
  worker: DataConverter | undefined;
  client: DataConverter;
  bundle: (cacheFolder: string) => Promise<{ codePath: string }>;
}

/**
 * Prepares the encryption of a worker by the file of its keys, or none.
 *
 * @throws HeddleError `CODEC_KEYS_INVALID`.
 */
export function prepareCodec(file: string | undefined): PreparedCodec {
  if (file === undefined)
    return {
      worker: undefined,
      client: { payloadCodecs: [clientCodec(undefined)] },
      bundle: (cache) => workflowBundle(cache),
    };
  const keys = readCodecKeys(file);
  return {
    worker: { payloadCodecs: [workerCodec(keys)], failureConverterPath },
    client: { payloadCodecs: [clientCodec(keys)] },
    bundle: (cache) => workflowBundle(cache, 'encoded'),
  };
}
