import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { decodeText, formatUnreadable } from '../../domain/input/file-text.ts';
import { planLimits } from '../../domain/input/limits.ts';
import type { Process } from '../../domain/process/parse-process.ts';
import { readProcess } from '../../domain/process/read-process.ts';
import { sha256 } from '../system/hash-file.ts';
import { isSystemError, systemCode } from '../system/system-error.ts';

/** A process that was read from a file or a package. */
export interface ReadProcess {
  process: Process;
  path: string;
  /** Hash of the bytes of its file. */
  fileHash: string;
  /** It is a folder with more than the one file. */
  isPackage: boolean;
}

/** The file of a process in a package. */
export const packageFiles = ['process.yaml', 'process.yml'];

/** Reads a process from a file, or from a folder with a `process.yaml`. Its name has to be that of the file or folder. */
export async function readProcessFile(path: string): Promise<ReadProcess> {
  const isPackage = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isPackage) return readOne(path, { name: basename(path, extname(path)), isPackage, prompts: {} });
  const names = await readdir(path).catch((error: unknown) => {
    throw notReadable(path, error);
  });
  const file = packageFiles.find((name) => names.includes(name));
  if (file === undefined) throw noProcessFile(path);
  if (names.includes('tools')) await refuseTools(join(path, 'tools'), basename(path));
  return readOne(join(path, file), {
    name: basename(path),
    isPackage,
    prompts: names.includes('prompts') ? await readPrompts(join(path, 'prompts')) : {},
  });
}

async function readOne(
  path: string,
  about: { name: string; isPackage: boolean; prompts: Record<string, string> },
): Promise<ReadProcess> {
  const bytes = await readBytes(path);
  const source = { name: path, text: decode(bytes, path) };
  const process = readProcess(source, { name: about.name, prompts: about.prompts });
  return { process, path, fileHash: sha256(bytes), isPackage: about.isPackage };
}

/** A file for each section of a prompt, such as `executor.constraints.md`. */
async function readPrompts(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw notReadable(folder, error);
  });
  const prompts: Record<string, string> = {};
  for (const name of names.filter((each) => each.endsWith('.md')).sort()) {
    const path = join(folder, name);
    prompts[basename(name, '.md')] = decode(await readBytes(path), path).trim();
  }
  return prompts;
}

/** Tools of a package would be programs of somebody else: this version has none. */
async function refuseTools(folder: string, name: string): Promise<void> {
  const tools = await readdir(folder).catch(() => []);
  if (tools.length === 0) return;
  throw new HeddleError({
    code: 'PROCESS_TOOL_MISSING',
    message: `The process package ${name} has tools of its own, which this version cannot run.`,
    where: folder,
    hint: 'Remove its folder `tools`, or use another process.',
  });
}

/** A pipe or a device would be read for ever. */
async function readBytes(path: string): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw notAFile(path, stats.isDirectory());
      const most = planLimits.process.bytes;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most + 1), 0, most + 1, 0);
      if (bytesRead > most) throw tooLarge(path);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw notReadable(path, error);
  }
}

function decode(bytes: Buffer, path: string): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const { line, column } = decoded.broken;
  throw new HeddleError({
    code: 'PROCESS_SYNTAX',
    message: 'The process is not UTF-8 text.',
    where: `${path}:${line}:${column}`,
    hint: 'Save the file as UTF-8.',
  });
}

function notReadable(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new HeddleError({
    code: 'PROCESS_NOT_FOUND',
    message: `The process file ${basename(path)} ${formatUnreadable(systemCode(error) ?? 'EIO')}.`,
    where: path,
    hint: 'Give the path of a process file, or the name of a process: `heddle process list` shows them.',
  });
}

const notAFile = (path: string, isFolder: boolean): HeddleError =>
  new HeddleError({
    code: 'PROCESS_NOT_FOUND',
    message: `The process file ${basename(path)} ${isFolder ? 'is a folder' : 'is not a file'}.`,
    where: path,
    hint: 'Put a file there, or remove it.',
  });

const noProcessFile = (path: string): HeddleError =>
  new HeddleError({
    code: 'PROCESS_NOT_FOUND',
    message: `The folder ${basename(path)} has no process.yaml, so it is no process package.`,
    where: path,
    hint: 'Add a process.yaml, or give the path of a process file.',
  });

const tooLarge = (path: string): HeddleError =>
  new HeddleError({
    code: 'PROCESS_TOO_LARGE',
    message: `The process file is larger than ${planLimits.process.bytes / 1024} KiB.`,
    where: path,
    hint: `Check that this is a process file; put long texts into files of ${basename(dirname(path))} and name them.`,
  });
