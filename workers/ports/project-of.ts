import { realpath } from 'node:fs/promises';
import { readConfigFiles } from '../../activities/config/read-config.ts';
import { trustIn } from '../home/trust-in.ts';
import { defaultProject } from '../../activities/prepare/prepare-task.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Only the name is wanted: whatever else the files say need not fit. The name in a project's file counts once the file is trusted. */
export async function resolveProject(env: Environment, folder: string): Promise<string> {
  const workspace = await realpath(folder);
  const files = await readConfigFiles({ env, folder: workspace, trustOf: trustIn(env) });
  const naming = files.findLast(({ layer }) => layer?.values.project !== undefined);
  return naming?.layer?.values.project ?? defaultProject(workspace);
}
