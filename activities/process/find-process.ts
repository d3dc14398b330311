import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FileIdentity } from '../../domain/config/layer.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { quoteName } from '../../domain/input/problem.ts';
import { processName } from '../../domain/schema/process-schema.ts';
import { nearest } from '../../domain/text/nearest.ts';
import type { ProcessSource } from '../../domain/types/process.ts';
import { identifyFolder } from '../config/folder-identity.ts';
import { resolveFilePath } from '../config/read-config.ts';
import { processFolders, type ProcessFolder, type ProcessPlace } from './process-folders.ts';
import { packageFiles, readProcessFile, type ReadProcess } from './read-process-file.ts';

/** A process by its name, where it was found. */
export interface FoundProcess extends ReadProcess {
  from: ProcessSource;
}

/** Says whether a file or folder is trusted as it is. */
export type IsTrusted = (identity: FileIdentity) => Promise<boolean>;

/** A file or folder that has the name of a process. */
export interface ProcessEntry extends ProcessFolder {
  name: string;
  path: string;
}

/** Finds the strongest process of a name. Throws `PROCESS_NOT_FOUND`, or `PROCESS_NOT_TRUSTED` where a workspace has it that nobody trusts. */
export async function findProcess(name: string, place: ProcessPlace, isTrusted: IsTrusted): Promise<FoundProcess> {
  const entries = await listEntries(place);
  const entry = entries.filter((each) => each.name === name).at(-1);
  if (entry === undefined) throw notFound(name, [...new Set(entries.map((each) => each.name))]);
  const read = await readProcessFile(entry.path);
  if (entry.from === 'workspace' && !(await isTrustedProcess(read, place.workspace, isTrusted)))
    throw notTrusted(name, entry.path);
  return { ...read, from: entry.from };
}

/**
 * Trust is in the file with these bytes, or in the workspace as it is: it is looked at after the file was read, so a file that changed
 * meanwhile is another folder's. A package is trusted as a part of its workspace alone.
 */
export async function isTrustedProcess(read: ReadProcess, workspace: string, isTrusted: IsTrusted): Promise<boolean> {
  const file = { path: await resolveFilePath(read.path), sha256: read.fileHash };
  if (!read.isPackage && (await isTrusted(file))) return true;
  const folder = await identifyFolder(workspace);
  return folder !== undefined && (await isTrusted(folder));
}

/** Lists the processes of all folders by their names, weakest first. Nothing is read. */
export async function listEntries(place: ProcessPlace): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const folder of processFolders(place)) entries.push(...(await listFolder(folder)));
  return entries;
}

/** A folder that is not there has none. */
async function listFolder({ from, folder }: ProcessFolder): Promise<ProcessEntry[]> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const entries: ProcessEntry[] = [];
  for (const fileName of names) {
    const extension = extname(fileName);
    const isFile = extension === '.yaml' || extension === '.yml';
    const name = isFile ? fileName.slice(0, -extension.length) : fileName;
    const path = join(folder, fileName);
    if (processName.safeParse(name).success && (isFile || (await isPackage(path))))
      entries.push({ from, folder, name, path });
  }
  return entries;
}

const isPackage = async (path: string): Promise<boolean> =>
  (await readdir(path).catch(() => [])).some((name) => packageFiles.includes(name));

function notFound(name: string, names: readonly string[]): HeddleError {
  const near = nearest(name, names);
  const all = names.length === 0 ? 'There are none here.' : `Processes: ${names.join(', ')}.`;
  return new HeddleError({
    code: 'PROCESS_NOT_FOUND',
    message: `There is no process ${quoteName(name)}${near === undefined ? '.' : `; did you mean \`${near}\`?`}`,
    where: 'process',
    hint: near === undefined ? all : `Write \`${near}\`. \`heddle process list\` shows all.`,
  });
}

const notTrusted = (name: string, path: string): HeddleError =>
  new HeddleError({
    code: 'PROCESS_NOT_TRUSTED',
    message: `The process ${name} is one of this workspace, which is not trusted as it is.`,
    where: path,
    hint: `Look at it with \`heddle process show ${path}\`; if you trust it, run \`heddle trust\` in the workspace. For one command: HEDDLE_TRUST=1.`,
  });
