import { lstatSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { syncFolder } from '../../system/durable-file.ts';
import { sha256 } from '../../system/hash-file.ts';
import { decodePath, type PathKey } from '../git/path-key.ts';
import { temporaryPrefix } from '../git/write-entry.ts';
import { metaId } from '../snapshots/journal.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { copyPlain } from './copy-plain.ts';

/*
 * A generated folder of a copy is in no snapshot, so it cannot be merged file by file. It comes whole where the workspace has none of this
 * name. Where it has one, that one stays, and the journal names the folder: nothing is lost without a word.
 */

/** Generated folders that a subtask left in its copy. */
export interface GeneratedOfCopy {
  /** The workspace has nothing at these places. */
  movable: PathKey[];
  unmerged: PathKey[];
}

/** Those that the user's own rules ignore stay behind like all ignored files, and so do caches. */
export async function sortGenerated(
  theirs: Taken,
  { workspace, deliverables }: { workspace: string; deliverables: readonly string[] },
): Promise<GeneratedOfCopy> {
  const sorted: GeneratedOfCopy = { movable: [], unmerged: [] };
  for (const [path, { stamp, ignored }] of Object.entries(theirs.meta.leftOut)) {
    const name = decodePath(path);
    // A deliverable comes whole by itself.
    if (stamp === null || ignored || (name !== undefined && deliverables.includes(name))) continue;
    const isFree = name !== undefined && !isThere(join(workspace, name)) && (await leadsInside(workspace, name));
    (isFree ? sorted.movable : sorted.unmerged).push(path);
  }
  return sorted;
}

/** In one step: a merge that was cut off leaves nothing that looks like the whole folder. */
export async function bringGenerated(copy: string, workspace: string, path: PathKey, deadline: number): Promise<void> {
  const name = decodePath(path);
  if (name === undefined) return;
  const place = join(workspace, name);
  const temporary = join(dirname(place), `${temporaryPrefix}${sha256(name).slice(0, 16)}`);
  await rm(temporary, { recursive: true, force: true });
  await copyPlain(join(copy, name), temporary, deadline);
  await rename(temporary, place);
  await syncFolder(dirname(place));
}

/** The snapshot with the names of what did not come along. */
export function withUnmerged(taken: Taken, unmerged: readonly PathKey[]): Taken {
  if (unmerged.length === 0) return taken;
  const meta = { ...taken.meta, unmerged: [...unmerged] };
  return { ...taken, meta, state: { ...taken.state, meta: metaId(meta) } };
}

const isThere = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false }) !== undefined;

async function leadsInside(workspace: string, name: string): Promise<boolean> {
  return (await resolveInWorkspace(workspace, name)).kind !== 'outside';
}
