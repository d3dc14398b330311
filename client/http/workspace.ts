import { realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { FolderConfigPorts } from '../config/load-folder-config.ts';
import type { AppParts } from './app-parts.ts';

/** Refuses a folder in which nothing may be started by HTTP. Links are followed first: what counts is where it leads. */
export async function checkWorkspace({ rules }: Pick<AppParts, 'rules'>, folder: string): Promise<void> {
  if (rules.workspaces.length === 0) return;
  const real = await realpath(folder).catch(() => folder);
  const allowed = await Promise.all(rules.workspaces.map((each) => realpath(each).catch(() => each)));
  const isAllowed = allowed.some((each) => real === each || real.startsWith(each.endsWith(sep) ? each : each + sep));
  if (isAllowed) return;
  throw new HeddleError({
    code: 'WORKSPACE_NOT_ALLOWED',
    message: `Nothing may be started in ${folder} by HTTP`,
    where: 'workspace',
    hint: 'Add it to workspaces under [server].',
  });
}

/** Relative to nothing: the server stands in no folder that the caller knows. */
export function checkAbsolute(folder: string): void {
  if (isAbsolute(folder)) return;
  throw new HeddleError({
    code: 'REQUEST_INVALID',
    message: `${JSON.stringify(folder)} is no absolute path`,
    where: 'workspace',
  });
}

/** The config of a folder without the environment of the server; without a folder, that of the user. */
export async function folderPorts(parts: AppParts, workspace: string | undefined): Promise<FolderConfigPorts> {
  const { ports } = parts;
  if (workspace !== undefined) {
    checkAbsolute(workspace);
    await checkWorkspace(parts, workspace);
  }
  return {
    env: {},
    cwd: workspace ?? '/',
    readConfig: (folder, host) => ports.readConfig(folder, host),
    findModels: (options) => ports.findModels(options),
  };
}

/** The ports of a task that is started by HTTP: its variables are those of the worker. */
export const noEnvironment = ({ ports }: Pick<AppParts, 'ports'>) => ({
  ...ports,
  env: {},
  cwd: '/',
  handOverVariables: () => Promise.resolve(() => undefined),
});
