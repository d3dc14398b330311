import { constants, createReadStream } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  fileLayer,
  type ConfigFile,
  type ConfigLayer,
  type FileIdentity,
  type Trust,
} from '../../domain/config/layer.ts';
import { ownSettings } from '../../domain/config/layers.ts';
import { untrustedFile, withTrust } from '../../domain/config/trust.ts';
import type { Config } from '../../domain/schema/config-schema.ts';
import { decodeText, formatUnreadable } from '../../domain/input/file-text.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { planLimits } from '../../domain/input/limits.ts';
import { sha256 } from '../system/hash-file.ts';
import { isSystemError, systemCode } from '../system/system-error.ts';
import { projectConfigFile, userConfigFile } from './find-config-files.ts';

/** The user's file and the project's, weakest first. Throws `CONFIG_...` errors that name file and line. */
export async function readConfigFiles(options: {
  env: Readonly<Record<string, string | undefined>>;
  folder: string;
  /** Another user's file than the environment says. */
  userFile?: string;
  /** Asked about a project's file that says what needs trust; nothing is trusted where nobody can be asked. */
  trustOf?: (identity: FileIdentity) => Promise<Trust>;
}): Promise<ConfigFile[]> {
  const { env, folder, userFile, trustOf } = options;
  const user = userFile === undefined ? userConfigFile(env) : { path: userFile, named: false };
  const project = await projectConfigFile(folder);
  const ofUser = await readUserFile(user);
  // One file in both places is the user's who works in that folder.
  if (project === undefined || project === resolve(user.path)) return [ofUser];
  return [ofUser, await readProjectFile(project, ownSettings(ofUser.layer), trustOf)];
}

/** The user's own file alone, for settings that no project has a say in. */
export const readUserLayer = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConfigLayer | undefined> => (await readUserFile(userConfigFile(env))).layer;

async function readUserFile({ path, named }: { path: string; named: boolean }): Promise<ConfigFile> {
  const bytes = await readable(path, userHint, () =>
    readBytes(path, createReadStream(path)).catch((error: unknown) => {
      if (!named && isMissing(error)) return undefined;
      throw error;
    }),
  );
  return bytes === undefined ? { kind: 'user', path } : { kind: 'user', path, layer: buildLayer(path, bytes) };
}

/** The bytes that are checked, trusted and used are read once: their hash goes with them. */
async function readProjectFile(
  path: string,
  own: Config,
  trustOf: (identity: FileIdentity) => Promise<Trust> = () => Promise.resolve('unknown'),
): Promise<ConfigFile> {
  const bytes = await readable(path, projectHint, () => readRegular(path));
  const whole = buildLayer(path, bytes);
  const ofMachine = machineKeys.find((key) => whole.raw[key] !== undefined);
  if (ofMachine !== undefined) throw notForProjects(whole, ofMachine);
  const identity = { path: await resolveFilePath(path), sha256: sha256(bytes) };
  const file = untrustedFile({ path, identity, whole }, own);
  return file.sensitive.length === 0 ? file : withTrust(file, await trustOf(identity));
}

/** A folder that a person downloads must not say who may reach this machine, not even once it is trusted. */
const machineKeys = ['server', 'codec'] as const;

const notForProjects = (whole: ConfigLayer, key: string): HeddleError =>
  new HeddleError({
    code: 'CONFIG_NOT_SUPPORTED',
    message: `A project cannot set \`${key}\`, which is about this machine.`,
    where: whole.originOf([key]).place,
    hint: 'Put it into your own file, ~/.config/heddle/heddle.toml or the one that HEDDLE_CONFIG names.',
  });

/** The path of a file itself, not the target of a link in its place: a link in another folder to a trusted file is another file. */
export const resolveFilePath = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)), basename(path));

const buildLayer = (path: string, bytes: Buffer): ConfigLayer =>
  fileLayer({ name: path, text: decode(bytes, path) }, (value) => resolve(dirname(path), value));

/** A pipe or a device in a project would be read for ever, or give each reader something else. */
async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) {
      const what = stats.isDirectory() ? 'is a folder' : 'is not a file';
      throw notReadable(path, what, 'Put a file there, or remove it.');
    }
    return await readBytes(path, file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}

async function readBytes(path: string, stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > planLimits.maxConfigBytes) throw tooLarge(path);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');

const userHint = 'Correct HEDDLE_CONFIG or the permissions of the file.';
const projectHint = 'Correct its permissions or where it leads to, or remove it.';

async function readable<T>(path: string, hint: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notReadable(path, formatUnreadable(error.code), hint);
  }
}

const notReadable = (path: string, why: string, hint: string): HeddleError =>
  new HeddleError({ code: 'CONFIG_NOT_READABLE', message: `The config file ${path} ${why}.`, where: path, hint });

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
