import { readdirSync } from 'node:fs';

import { findGeneratedKind } from '../../../domain/workspace/generated-folders.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { diskPath, parentOf, type PathKey } from '../git/path-key.ts';
import { joinZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { LeftOut } from '../git/snapshot.ts';
import { stampGenerated } from './stamp-generated.ts';

const nameOf = (path: PathKey): string => path.slice(path.lastIndexOf('/') + 1);

/** Lists generated folders beside the files of a workspace. `cached`: those of a folder that has not changed since they were listed. */
export function listGenerated(
  workspace: string,
  folders: Iterable<PathKey>,
  cached: (folder: PathKey) => readonly PathKey[] | undefined,
): PathKey[] {
  const generated = new Set<PathKey>();
  for (const folder of folders)
    for (const path of cached(folder) ?? generatedIn(workspace, folder)) generated.add(path);
  return [...generated].sort();
}

function generatedIn(workspace: string, folder: PathKey): PathKey[] {
  try {
    const place = folder === '' ? Buffer.from(workspace) : diskPath(workspace, folder);
    return readdirSync(place, { encoding: 'buffer', withFileTypes: true }).flatMap((entry) => {
      const name = entry.name.toString('latin1');
      // A link of this name is a file like any other.
      if (!entry.isDirectory() || findGeneratedKind(name) === undefined) return [];
      return [folder === '' ? name : `${folder}/${name}`];
    });
  } catch {
    // Gone or closed under our eyes: nothing of it is taken in either.
    return [];
  }
}

/** Groups folders by the one that they are in. */
export function groupByParent(folders: readonly PathKey[]): Map<PathKey, PathKey[]> {
  return Map.groupBy(folders, parentOf);
}

/** Asks git which of these folders it leaves out, and by whose rules. */
export async function describeLeftOut(
  repository: ShadowRepository,
  generated: readonly PathKey[],
  deadline: number,
): Promise<Record<PathKey, LeftOut>> {
  if (generated.length === 0) return {};
  const { stdout } = await repository.git(['check-ignore', '--no-index', '-v', '-z', '--stdin'], {
    // This command does not know literal paths; after `./` nothing in a name is magic.
    stdin: joinZero(generated.map((path) => `./${path}`)),
    env: { GIT_LITERAL_PATHSPECS: '0' },
    answers: [1],
    deadline,
  });
  const budget = { entries: activityLimits.workspace.generatedEntriesInAll };
  const leftOut: Record<PathKey, LeftOut> = {};
  const fields = stdout.toString('latin1').split('\0');
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = '', , pattern = '', shown = ''] = fields.slice(at, at + 4);
    // The last rule that fits may take a folder in again.
    if (pattern.startsWith('!')) continue;
    const path = shown.replace(/^\.\//, '');
    const isCache = findGeneratedKind(nameOf(path)) === 'cache';
    const stamp = isCache ? null : stampGenerated(repository.workspace, path, budget);
    leftOut[path] = { stamp, ignored: source !== repository.exclude };
  }
  return leftOut;
}

/** The same folders as they are now, where no rule has changed. */
export function restampLeftOut(
  workspace: string,
  before: Readonly<Record<PathKey, LeftOut>>,
): Record<PathKey, LeftOut> {
  const budget = { entries: activityLimits.workspace.generatedEntriesInAll };
  return Object.fromEntries(
    Object.entries(before).map(([path, leftOut]) => [
      path,
      leftOut.stamp === null ? leftOut : { ...leftOut, stamp: stampGenerated(workspace, path, budget) },
    ]),
  );
}
