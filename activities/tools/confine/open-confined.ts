import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { clip, formatList } from '../../../domain/text/text.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { systemCode } from '../../system/system-error.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { findGuard, guardTexts, type GuardedFolders } from './guarded-folders.ts';
import { HeldFolder, type HoldingWay } from './held-folder.ts';
import { isProtected, protectionTexts } from './is-protected.ts';
import { leadsIntoRepository } from './leads-into-repository.ts';
import { PathProblem } from './path-problem.ts';

export interface Roots {
  /** Absolute, links resolved. */
  workspace: string;
  readRoots: readonly string[];
  guarded: GuardedFolders;
}

export interface PathRequest {
  /** As the model wrote it: relative to the workspace, or absolute. */
  path: string;
  /** `write` is for the workspace only. */
  to: 'read' | 'write';
  /** A link at the end: what it points to, or the link itself. */
  last: 'follow' | 'keep';
  /** Folders on the way that are not there are made. */
  makeParents?: boolean;
  /** The path was found before and leads nowhere else since: what was judged is what is used. */
  exact?: boolean;
  /** Only tests choose. */
  way?: HoldingWay;
}

/** An entry of a folder that is held. `.` is the folder itself. */
export interface ConfinedPath {
  folder: HeldFolder;
  name: string;
  /** Relative to the workspace, or absolute in a read root; no links in it. */
  path: string;
}

/**
 * Uses a path that leads nowhere but inside. First every link is followed by hand, which says where the path leads; then that place is
 * opened folder by folder without following any link: a link that appeared meanwhile is met, not obeyed.
 */
export async function withConfined<T>(
  roots: Roots,
  request: PathRequest,
  use: (target: ConfinedPath) => Promise<T>,
): Promise<T> {
  const target = await openConfinedPath(roots, request);
  try {
    const result = await use(target);
    await target.folder.check();
    return result;
  } finally {
    await target.folder.close();
  }
}

/** The place to which a path leads, as in a `Spot`; whether something is there or not. */
export async function findConfined(
  roots: Roots,
  request: PathRequest,
): Promise<{ root: string; real: string; path: string }> {
  const real = await resolve(roots, request);
  const root = await findRoot(real, roots, request.to);
  if (root === undefined) throw outside(roots, request);
  const guard = findGuard(real, request.to, roots);
  if (guard !== undefined) throw new PathProblem('protected', `${formatPath(request.path)} ${guardTexts[guard]}`);
  const path = root === roots.workspace ? relative(root, real) || '.' : real;
  if (request.to === 'write') await refuseProtected(roots.workspace, path, request.path);
  return { root, real, path };
}

async function openConfinedPath(roots: Roots, request: PathRequest): Promise<ConfinedPath> {
  for (let tried = 0; tried < activityLimits.tools.tries; tried += 1) {
    const { root, real, path } = await findConfined(roots, request);
    if (request.exact === true && path !== request.path)
      throw new PathProblem(
        'unusable',
        `${formatPath(request.path)} leads elsewhere now: nothing was done. Look at it again.`,
      );
    const folder = await openFolders(root, relative(root, dirname(real)), real === root, request);
    if (folder !== undefined) return { folder, name: real === root ? '.' : basename(real), path };
  }
  throw new PathProblem(
    'unusable',
    `${formatPath(request.path)} changes all the time: a folder on the way becomes a link and back.`,
  );
}

/** The place to which a path leads, by every link on it. */
async function resolve({ workspace }: Roots, { path, last }: PathRequest): Promise<string> {
  if (path.includes('\0')) throw new PathProblem('unusable', 'A path cannot contain the character U+0000.');
  if (path.length > activityLimits.tools.path)
    throw new PathProblem('unusable', `The path ${formatPath(path)} is too long.`);
  const whole = path.replace(/\/+$/, '') || (path === '' ? '.' : '/');
  const kept = last === 'keep' && !['.', '..', '/'].includes(basename(whole)) ? basename(whole) : undefined;
  const resolved = await resolveInWorkspace(workspace, kept === undefined ? whole : dirname(whole));
  if (resolved.kind === 'unreadable')
    throw new PathProblem('unusable', `${formatPath(path)} cannot be reached: ${resolved.reason}.`);
  return kept === undefined ? resolved.real : join(resolved.real, kept);
}

async function findRoot(
  real: string,
  { workspace, readRoots }: Roots,
  to: PathRequest['to'],
): Promise<string | undefined> {
  if (isInside(workspace, real)) return workspace;
  for (const root of to === 'read' ? readRoots : []) {
    const resolved = await realpath(root).catch(() => root);
    if (isInside(resolved, real)) return resolved;
  }
  return undefined;
}

const isInside = (root: string, real: string): boolean =>
  real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);

/** Undefined when a link is met: the path has to be looked up again. */
async function openFolders(
  root: string,
  between: string,
  isRoot: boolean,
  request: PathRequest,
): Promise<HeldFolder | undefined> {
  let folder = await HeldFolder.open(root, request.way);
  try {
    for (const part of isRoot ? [] : between.split(sep).filter((name) => name !== '')) {
      const next = await openPart(folder, part, request);
      await folder.close();
      if (next === undefined) return undefined;
      folder = next;
    }
    await folder.check();
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function openPart(folder: HeldFolder, part: string, request: PathRequest): Promise<HeldFolder | undefined> {
  if (request.makeParents === true) await makeFolder(folder, part, request.path);
  try {
    return await folder.openInside(part);
  } catch (error) {
    const code = systemCode(error);
    if ((code === 'ELOOP' || code === 'ENOTDIR') && (await folder.isLink(part))) return undefined;
    throw explain(error, request.path);
  }
}

async function makeFolder(folder: HeldFolder, name: string, path: string): Promise<void> {
  try {
    await mkdir(folder.at(name));
    await folder.sync();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw explain(error, path);
  }
}

/** The meaning of a system error for a model; the machine's own trouble stays what it is. */
export function explain(error: unknown, path: string): unknown {
  const quoted = formatPath(path);
  switch (systemCode(error)) {
    case 'ENOENT':
      return new PathProblem('missing', `There is nothing at ${quoted}.`);
    case 'ENOTDIR':
      return new PathProblem('unusable', `${quoted}: a file is on the way where a folder should be.`);
    case 'ELOOP':
      return new PathProblem('unusable', `${quoted} is a link that leads nowhere.`);
    case 'ENAMETOOLONG':
      return new PathProblem('unusable', `The path ${quoted} has a name that is too long.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new PathProblem('unusable', `${quoted}: permission denied.`);
    case 'ENXIO':
    case 'ENODEV':
      return new PathProblem('unusable', `${quoted} is not a regular file.`);
    default:
      return error;
  }
}

async function refuseProtected(workspace: string, path: string, written: string): Promise<void> {
  if (path === '.') throw new PathProblem('protected', `${formatPath(written)} is the workspace itself.`);
  const kind = isProtected(path) ?? ((await leadsIntoRepository(workspace, path)) ? 'git' : undefined);
  if (kind !== undefined) throw new PathProblem('protected', `${formatPath(written)} ${protectionTexts[kind]}`);
}

function outside({ readRoots }: Roots, { path, to }: PathRequest): PathProblem {
  const more = to === 'read' && readRoots.length > 0 ? ` and ${formatList(readRoots)}` : '';
  const verb = to === 'read' ? 'Read' : 'Write';
  return new PathProblem(
    'outside',
    `${formatPath(path)} is outside the workspace. ${verb} only inside the workspace${more}; use paths relative to it.`,
  );
}

/** A path in a sentence. */
export const formatPath = (path: string): string => `\`${clip(path, 200).replace(/[\u0000-\u001f`]/g, '?')}\``;
