import { realpath } from 'node:fs/promises';
import { resolveTaskConfig } from '../../activities/config/resolve-task-config.ts';
import { defaultProject } from '../../activities/prepare/prepare-task.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function projectOf(env: Environment, folder: string): Promise<string> {
  const workspace = await realpath(folder);
  const { project } = (await resolveTaskConfig({}, { env, workspace })).values;
  return project ?? defaultProject(workspace);
}
