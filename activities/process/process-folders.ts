import { dirname, join } from 'node:path';
import { userConfigFile } from '../config/find-config-files.ts';
import type { ProcessSource } from '../../domain/types/process.ts';

/** The places that are searched for a process by its name. */
export interface ProcessPlace {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** Another user's file than the environment says. */
  userFile?: string | undefined;
  /** `[processes] paths` of the config: absolute. */
  paths: readonly string[];
}

export interface ProcessFolder {
  from: Exclude<ProcessSource, 'given'>;
  folder: string;
}

/** The folder is beside this file in a clone and in the package, and beside the bundle that holds it. */
const builtIn = join(import.meta.dirname, 'built-in');

/** The folder of the user's own processes. */
export const userProcesses = ({ env, userFile }: Pick<ProcessPlace, 'env' | 'userFile'>): string =>
  join(dirname(userFile ?? userConfigFile(env).path), 'processes');

/** The folder of a workspace's processes, which have no effect before the workspace is trusted. */
export const workspaceProcesses = (workspace: string): string => join(workspace, '.heddle', 'processes');

/** The folders in which a process may be, weakest first: a process in a later one takes the place of one of its name before. */
export const processFolders = (place: ProcessPlace): ProcessFolder[] => [
  { from: 'built-in', folder: builtIn },
  { from: 'user', folder: userProcesses(place) },
  ...place.paths.map((folder): ProcessFolder => ({ from: 'paths', folder })),
  { from: 'workspace', folder: workspaceProcesses(place.workspace) },
];
