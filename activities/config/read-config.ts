import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigFile } from '../../domain/config/layer.ts';
import { fileLayer } from '../../domain/config/layer.ts';
import { decodeText, sayUnreadable } from '../../domain/source/file-text.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { planLimits } from '../../domain/source/limits.ts';
import { projectConfigFile, userConfigFile } from './find-config-files.ts';

/** The user's file and the project's, weakest first. Throws `CONFIG_...` errors that name file and line. */
export async function readConfigFiles(options: {
  env: Readonly<Record<string, string | undefined>>;
  folder: string;
  /** Another user's file than the environment says. */
  userFile?: string;
}): Promise<ConfigFile[]> {
  const { env, folder, userFile } = options;
  const user = userFile === undefined ? userConfigFile(env) : { path: userFile, named: false };
  const project = await projectConfigFile(folder);
  const files: ConfigFile[] = [await readFile('user', user.path, user.named)];
  // One file in both places is the user's who works in that folder.
  if (project !== undefined && project !== resolve(user.path)) files.push(await readFile('project', project, true));
  return files;
}

async function readFile(kind: ConfigFile['kind'], path: string, expected: boolean): Promise<ConfigFile> {
  const bytes = await readBytes(path, expected);
  return bytes === undefined
    ? { kind, path }
    : { kind, path, layer: fileLayer({ name: path, text: decode(bytes, path) }, from(dirname(path))) };
}

const from =
  (folder: string) =>
  (path: string): string =>
    resolve(folder, path);

async function readBytes(path: string, expected: boolean): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > planLimits.maxConfigBytes) throw tooLarge(path);
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof HeddleError) throw error;
    if (!expected && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw notReadable(path, String(error.code));
  }
}

function notReadable(path: string, code: string): HeddleError {
  return new HeddleError({
    code: 'CONFIG_NOT_READABLE',
    message: `The config file ${path} ${sayUnreadable(code)}.`,
    where: path,
    hint: 'Correct HEDDLE_CONFIG or the permissions of the file.',
  });
}

const tooLarge = (path: string): HeddleError =>
  new HeddleError({
    code: 'CONFIG_TOO_LARGE',
    message: `The config file is larger than ${planLimits.maxConfigBytes / 1024} kB.`,
    where: path,
    hint: 'Check that this is a Heddle config file.',
  });

function decode(bytes: Buffer, path: string): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const { line, column } = decoded.broken;
  throw new HeddleError({
    code: 'CONFIG_SYNTAX',
    message: 'The config is not UTF-8 text.',
    where: `${path}:${line}:${column}`,
    hint: 'Save the file as UTF-8.',
  });
}
