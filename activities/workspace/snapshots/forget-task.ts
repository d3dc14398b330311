import { activityLimits } from '../../limits/activity-limits.ts';
import { findTaskWorkspace } from './find-workspace.ts';
import { Journal } from './journal.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { SnapshotParts } from './snapshots.ts';
import { withWorkspaceLock } from './workspace-lock.ts';

/**
 * Removes the snapshots of a task that has ended, and the bytes that nothing else refers to. False when there are none here, or when a
 * snapshot was taken since somebody thought them old.
 */
export async function forgetSnapshots(
  parts: SnapshotParts,
  task: string,
  isOld: (at: number) => boolean,
): Promise<boolean> {
  const repository = findTaskWorkspace(parts, task);
  if (repository === undefined) return false;
  const deadline = performance.now() + activityLimits.workspace.commandTimeout;
  return withWorkspaceLock(repository.folder, deadline, async () => {
    const trees = Journal.with(repository.folder, undefined, (journal) => {
      if (journal.marks().some(({ writer, at }) => writer.task === task && !isOld(at))) return undefined;
      journal.forget(task);
      const { indexState } = journal;
      return new Set([...journal.marks().map(({ tree }) => tree ?? ''), indexState?.tree ?? '']);
    });
    if (trees === undefined) return false;
    if (repository.isThere) await collect(repository, trees, deadline);
    return true;
  });
}

async function collect(repository: ShadowRepository, trees: ReadonlySet<string>, deadline: number): Promise<void> {
  await repository.make();
  const { stdout } = await repository.git(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heddle'], {
    deadline,
  });
  const kept = stdout
    .toString('latin1')
    .split('\n')
    .filter((name) => name !== '');
  const stdin = kept.flatMap((tree) => (trees.has(tree) ? [] : [`delete refs/heddle/${tree}\n`])).join('');
  if (stdin !== '') await repository.git(['update-ref', '--stdin'], { stdin, deadline });
  await repository.git(['gc', '--quiet', '--prune=now'], { deadline });
}
