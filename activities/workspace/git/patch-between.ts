import { decodePath, type PathKey } from './path-key.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import type { Snapshot } from './snapshot.ts';

/** Paths of one call: a program's argument list ends somewhere, and nobody reads more. */
const mostPaths = 200;

/** A unified diff of some paths between two snapshots. Names that are not UTF-8 are not in it. */
export async function patchBetween(
  repository: ShadowRepository,
  { from, to, paths }: { from: Snapshot; to: Snapshot; paths: readonly PathKey[] },
  deadline: number,
): Promise<string> {
  const named = paths.flatMap((path) => decodePath(path) ?? []).slice(0, mostPaths);
  if (named.length === 0 || from.tree === to.tree) return '';
  const args = ['diff-tree', '-r', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', from.tree, to.tree];
  const { stdout } = await repository.git([...args, '--', ...named], { deadline });
  return stdout.toString('utf8');
}
