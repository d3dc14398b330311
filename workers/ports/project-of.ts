import { realpath } from 'node:fs/promises';
import { readConfigFiles } from '../../activities/config/read-config.ts';
import { defaultProject } from '../../activities/prepare/prepare-task.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Only the name is wanted: whatever else the files say need not fit, or be trusted. */
export async function projectOf(env: Environment, folder: string): Promise<string> {
  const workspace = await realpath(folder);
  const files = await readConfigFiles({ env, folder: workspace });
  const naming = files.findLast(({ layer }) => layer?.values.project !== undefined);
  return naming?.layer?.values.project ?? defaultProject(workspace);
}
