import { open, type FileHandle } from 'node:fs/promises';
import { FileStore } from '../../activities/store/file-store.ts';
import { hashOpenFile } from '../../activities/system/hash-file.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';

/** Only what is not there is missing from here: what is damaged or cannot be read is said to be. */
export async function readStored(folder: string, ref: Ref): Promise<unknown> {
  const bytes = await new FileStore(folder).get(ref).catch((error: unknown) => {
    if (error instanceof HeddleError && error.code === 'STORE_MISSING') return undefined;
    throw error;
  });
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown);
}

/** Its size is not known here, so the whole is read once to see that it is what was stored. */
export async function readOutput(folder: string, sha256: string): Promise<NodeJS.ReadableStream | undefined> {
  let file: FileHandle;
  try {
    file = await open(new FileStore(folder).path({ sha256, bytes: 0 }));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if ((await hashOpenFile(file)).sha256 !== sha256) throw damagedOutput(sha256);
    return file.createReadStream({ start: 0 });
  } catch (error) {
    await file.close();
    throw error;
  }
}

const damagedOutput = (sha256: string): HeddleError =>
  new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the stored output ${sha256.slice(0, 12)} has changed since it was stored`,
    hint: 'Something changed the file, or the disk is failing.',
  });
