import { realpath } from 'node:fs/promises';
import { extname } from 'node:path';
import { identifyFolder } from '../../activities/config/folder-identity.ts';
import { resolveFilePath } from '../../activities/config/read-config.ts';
import { findProcess, type IsTrusted } from '../../activities/process/find-process.ts';
import { listProcesses as listAll } from '../../activities/process/list-processes.ts';
import { userProcesses, workspaceProcesses } from '../../activities/process/process-folders.ts';
import { readProcessFile as readFile } from '../../activities/process/read-process-file.ts';
import { describe, readTaskProcess as readOfTask } from '../../activities/process/task-process.ts';
import { writeProcess as write } from '../../activities/process/write-process.ts';
import { isSystemError } from '../../activities/system/system-error.ts';
import type { ProcessesPort, ProcessSearch, ShownProcess } from '../../client/ports/processes.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { notWritable } from '../home/home.ts';
import { trustIn } from '../home/trust-in.ts';
import { trustConfig, trustFolder } from './trust-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const isTrustedIn = (env: Environment): IsTrusted => {
  const trustOf = trustIn(env);
  return async (identity) => (await trustOf(identity)) === 'trusted';
};

export async function readProcessFile(path: string): ReturnType<ProcessesPort['readProcessFile']> {
  const { process } = await readFile(path);
  return { name: process.checked.name, definition: { ...process.definition } };
}

export async function readTaskProcess(
  env: Environment,
  sent: unknown,
  { workspace, paths, trusted }: Parameters<ProcessesPort['readTaskProcess']>[1],
): ReturnType<ProcessesPort['readTaskProcess']> {
  const isTrusted = isTrustedIn(env);
  const read = await readOfTask(sent, {
    ...{ env, workspace: await realpath(workspace), paths },
    isTrusted: async (identity) => trusted || isTrusted(identity),
  });
  if (read === undefined) throw new HeddleError({ code: 'INTERNAL', message: 'The task names no process' });
  return read;
}

export const listProcesses = async (
  env: Environment,
  { workspace, paths }: ProcessSearch,
): ReturnType<ProcessesPort['listProcesses']> =>
  listAll({ env, workspace: await realpath(workspace), paths }, isTrustedIn(env));

/** Looking at a process needs no trust. */
export async function showProcess(
  env: Environment,
  nameOrPath: string,
  { workspace, paths }: ProcessSearch,
): Promise<ShownProcess> {
  if (/[/\\]/.test(nameOrPath) || extname(nameOrPath) !== '') {
    const read = await readFile(nameOrPath);
    return { ...describe(read.process, 'given'), path: read.path };
  }
  const place = { env, workspace: await realpath(workspace), paths };
  const { process, from, path } = await findProcess(nameOrPath, place, () => Promise.resolve(true));
  return { ...describe(process, from), path };
}

/** A folder that was trusted as it was stays trusted with the file that its user adds. */
export async function writeProcess(
  env: Environment,
  name: string,
  { from, user, place }: Parameters<ProcessesPort['writeProcess']>[1],
): ReturnType<ProcessesPort['writeProcess']> {
  const workspace = await realpath(place.workspace);
  const source = from === undefined ? undefined : (await showProcess(env, from, place)).path;
  const before = await identifyFolder(workspace);
  const wasTrusted = before !== undefined && (await isTrustedIn(env)(before));
  const folder = user ? userProcesses({ env }) : workspaceProcesses(workspace);
  const written = await write(folder, name, source).catch((error: unknown) => {
    throw isSystemError(error) ? notWritable(folder, error.message) : error;
  });
  if (!user) await trustConfig(env, { path: await resolveFilePath(written.path), sha256: written.sha256 });
  if (!user && wasTrusted) await trustFolder(env, workspace);
  return { name, path: written.path };
}
