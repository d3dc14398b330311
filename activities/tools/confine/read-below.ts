import { constants } from 'node:fs';
import { lstat, open, readdir, type FileHandle } from 'node:fs/promises';
import { nearest } from '../../../domain/text/nearest.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { explain, formatPath, type ConfinedPath } from './open-confined.ts';
import { PathProblem } from './path-problem.ts';

/** The beginning of a file. */
export interface FileHead {
  bytes: Buffer;
  /** The size of the whole file: larger than `bytes` when it was cut. */
  size: number;
  /** Permission bits and owner. */
  mode: number;
  owner: { uid: number; gid: number };
}

/** A pipe without a writer does not hold us, and a link put there meanwhile is not followed. */
const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** At most `most` bytes of a regular file; anything else is a `PathProblem`. */
export async function readBelow({ folder, name, path }: ConfinedPath, most: number): Promise<FileHead> {
  const file = await openRegular({ folder, name, path });
  try {
    const { size, mode, uid, gid } = await file.stat();
    return { bytes: await readHead(file, most), size, mode: mode & 0o7777, owner: { uid, gid } };
  } finally {
    await file.close();
  }
}

/** Looked at before it is opened, since opening some devices does something, and again afterwards. */
export async function openRegular(target: ConfinedPath): Promise<FileHandle> {
  const place = target.folder.at(target.name);
  try {
    refuseOthers(await lstat(place), target.path);
    const file = await open(place, readFlags);
    try {
      refuseOthers(await file.stat(), target.path);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    const problem = explain(error, target.path);
    throw problem instanceof PathProblem && problem.kind === 'missing' ? await suggestName(problem, target) : problem;
  }
}

function refuseOthers(stats: { isFile(): boolean; isDirectory(): boolean }, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new PathProblem('unusable', `${formatPath(path)} is a folder, not a file.`);
  throw new PathProblem(
    'unusable',
    `${formatPath(path)} is not a regular file: a device, pipe, socket or broken link.`,
  );
}

async function suggestName(problem: PathProblem, { folder, name }: ConfinedPath): Promise<PathProblem> {
  const names = await readdir(folder.path).catch(() => new Array<string>());
  const nearestName = nearest(name, names.slice(0, activityLimits.tools.listed));
  return nearestName === undefined
    ? problem
    : new PathProblem('missing', `${problem.message} Did you mean ${formatPath(nearestName)}?`);
}

/** However the file grows meanwhile, no more than `most` is held. */
async function readHead(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = most; left > 0;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(left, 256 * 1024)), 0, undefined, null);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}
