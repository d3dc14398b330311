import { projectConfigFile } from '../../activities/config/find-config-files.ts';
import { placeOf } from '../../activities/config/read-config.ts';
import { forgetTrust, saveTrust } from '../../activities/config/trust-records.ts';
import { rootOfStore, trustFile } from '../../activities/home-layout.ts';
import { isSystemError } from '../../activities/store/system-error.ts';
import type { FilesPort } from '../../client/ports/files.ts';
import type { FileIdentity } from '../../domain/config/layer.ts';
import { heddleHome, notWritable, type Environment } from '../home/home.ts';

export async function trustConfig(env: Environment, identity: FileIdentity): Promise<void> {
  const root = rootOfStore(heddleHome(env).store);
  await writing(trustFile(root, identity.path), () => saveTrust(root, identity));
}

/** Without a look into it: what cannot be read any more can still be distrusted. */
export async function distrustConfig(env: Environment, folder: string): ReturnType<FilesPort['distrustConfig']> {
  const found = await projectConfigFile(folder);
  if (found === undefined) return undefined;
  const path = await placeOf(found);
  const root = rootOfStore(heddleHome(env).store);
  return { path, wasTrusted: await writing(trustFile(root, path), () => forgetTrust(root, path)) };
}

async function writing<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notWritable(file, error.message);
  }
}
