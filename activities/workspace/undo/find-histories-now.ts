import type { RepositoryChange, WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { Journal } from '../snapshots/journal.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { snapshotNow } from '../snapshots/snapshots.ts';
import { findPathHistories, type PathHistories } from './find-path-histories.ts';
import { loadHistory, type History } from './load-history.ts';

interface HistoriesNow extends PathHistories {
  history: History;
  repositories: (RepositoryChange & { by: string })[];
}

/** Lists what a task or a subtask did in its workspace up to now, path by path. Only under the lock of the workspace. */
export async function findHistoriesNow(
  repository: ShadowRepository,
  subject: WorkspaceSubject,
  deadline: number,
): Promise<HistoriesNow> {
  const journal = Journal.open(repository.folder);
  try {
    const runs = journal.open().some(({ writer }) => writer.task === subject.task && !writer.undo);
    const now = runs ? await snapshotNow(repository, deadline) : undefined;
    if (now !== undefined) journal.add([], [now.meta], now.state);
    const history = await loadHistory(repository, journal, {
      task: subject.task,
      ...(now === undefined ? {} : { now }),
      deadline,
    });
    const histories = await findPathHistories(repository, history, subject, deadline);
    return { ...histories, history, repositories: journal.repositories(subject.task, subject.subtask) };
  } finally {
    journal.close();
  }
}
