import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { projectConfigFile } from '../../activities/config/find-config-files.ts';
import { folderIdentity } from '../../activities/config/folder-identity.ts';
import { resolveFilePath } from '../../activities/config/read-config.ts';
import { forgetTrust, saveTrust } from '../../activities/config/trust-records.ts';
import { rootOfStore, trustFile } from '../../activities/home/home-layout.ts';
import { isSystemError } from '../../activities/system/system-error.ts';
import type { FilesPort } from '../../client/ports/files.ts';
import type { FileIdentity } from '../../domain/config/layer.ts';
import { heddleHome, notWritable, type Environment } from '../home/home.ts';

export async function trustConfig(env: Environment, identity: FileIdentity): Promise<void> {
  const root = rootOfStore(heddleHome(env).store);
  await writing(trustFile(root, identity.path), () => saveTrust(root, identity));
}

export async function trustFolder(env: Environment, folder: string): Promise<FileIdentity> {
  const identity = await folderIdentity(folder);
  await trustConfig(env, identity);
  return identity;
}

/** Without a look into it: what cannot be read any more can still be distrusted. */
export async function distrustConfig(env: Environment, folder: string): ReturnType<FilesPort['distrustConfig']> {
  const configFile = await projectConfigFile(folder);
  const file = configFile === undefined ? undefined : await resolveFilePath(configFile);
  const place = file === undefined ? await realpath(folder) : dirname(file);
  const root = rootOfStore(heddleHome(env).store);
  const forget = (path: string): Promise<boolean> => writing(trustFile(root, path), () => forgetTrust(root, path));
  const ofFolder = await forget(place);
  const ofFile = file !== undefined && (await forget(file));
  return { path: file ?? place, wasTrusted: ofFolder || ofFile };
}

async function writing<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notWritable(file, error.message);
  }
}
