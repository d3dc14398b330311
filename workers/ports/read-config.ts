import { realpath, stat } from 'node:fs/promises';
import { readConfigFiles } from '../../activities/config/read-config.ts';
import type { FilesPort } from '../../client/ports/files.ts';
import { trustIn } from '../home/trust-in.ts';
import { loadSettings } from '../settings/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function readConfig(
  env: Environment,
  cwd: string,
  folder: string,
  host: string | undefined,
): ReturnType<FilesPort['readConfig']> {
  if (host !== undefined && host !== (await loadSettings(env, cwd)).host) return undefined;
  const isHere = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isHere) return undefined;
  return readConfigFiles({ env, folder: await realpath(folder), trustOf: trustIn(env) });
}
