import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { OtherTasks, UndoAnswer, Writer } from '../../../domain/types/basic/workspace.ts';
import { nothing, parseEntry } from '../git/entry.ts';
import { findPathHistories, listGaps } from './find-path-histories.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { checkStillThere, checkSubtask, explained, findTaskWorkspace } from '../snapshots/find-workspace.ts';
import { Journal } from '../snapshots/journal.ts';
import { foldersToRemove } from './made-folders.ts';
import { loadHistory, type History } from './load-history.ts';
import { showPath, type PathKey } from '../git/path-key.ts';
import { planUndo } from './plan-undo.ts';
import { deepestFirst, restore, type Restoration } from '../git/restore-paths.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { isOurs, newMark, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { removeHollowFolder } from '../git/write-entry.ts';

export interface UndoOptions {
  dryRun?: boolean;
  /** Also restores files that others may have changed. */
  force?: boolean;
  /** The server said that it has ended: an open start in the journal is then only one whose end could not be written. */
  ended?: boolean;
  isInPlan?: boolean;
  /** The other tasks that have leases of a folder. */
  otherTasks?: (workspace: string) => Promise<OtherTasks>;
  /** Milliseconds; a person who asked can wait longer than an attempt. */
  timeout?: number;
}

/**
 * Brings back how every file was before a task, or a subtask of it, changed it. Refuses as a whole where that is not known exactly.
 * What it overwrites is in a snapshot. Undefined when this machine knows nothing of the task.
 */
export async function undoTask(
  parts: SnapshotParts,
  subject: WorkspaceSubject,
  options: UndoOptions = {},
): Promise<UndoAnswer | undefined> {
  const repository = findTaskWorkspace(parts, subject.task);
  if (repository === undefined) return undefined;
  checkStillThere(repository, subject.task);
  checkSubtask(repository.folder, subject, options.isInPlan === true);
  const deadline = performance.now() + (options.timeout ?? activityLimits.workspace.commandTimeout);
  return explained(repository.workspace, () =>
    withWorkspaceLock(repository.folder, deadline, () => undo(repository, subject, options, deadline)),
  );
}

async function undo(
  repository: ShadowRepository,
  subject: WorkspaceSubject,
  options: UndoOptions,
  deadline: number,
): Promise<UndoAnswer> {
  const journal = Journal.open(repository.folder);
  try {
    if (options.ended !== true) refuseWhileRunning(journal, subject);
    if (options.dryRun !== true && options.force !== true)
      refuseBusy(journal, subject, (await options.otherTasks?.(repository.workspace)) ?? { open: [], ended: [] });
    const now = await snapshotNow(repository, deadline);
    journal.add([], [now.meta], now.state);
    const history = await loadHistory(repository, journal, { task: subject.task, now, deadline });
    if (options.force !== true) refuseUnseen(history, subject);
    const histories = await findPathHistories(repository, history, subject, deadline);
    const restorations = planUndo(repository, histories.pathHistories, subject, { force: options.force === true });
    const folders = await foldersToRemove(repository, { history, subject, restorations, deadline });
    if (options.dryRun !== true && restorations.length + folders.size > 0) {
      await perform(repository, journal, { subject, now, restorations, folders, deadline });
    }
    return {
      taskId: subject.task,
      subtask: subject.subtask,
      workspace: repository.workspace,
      dryRun: options.dryRun === true,
      files: restorations.map((each) => ({ path: showPath(each.path), action: chooseAction(each) })),
      gaps: listGaps(history, subject),
      outside: histories.outside,
      changedByOthers: histories.changedByOthers.filter(({ shared }) => options.force !== true || !shared),
    };
  } finally {
    journal.close();
  }
}

interface Performance {
  subject: WorkspaceSubject;
  now: Taken;
  restorations: Restoration[];
  /** Made by the subject; removed where they are or become empty. */
  folders: Set<PathKey>;
  deadline: number;
}

/** Between two marks of its own, so that a later look shows who changed these files. */
async function perform(repository: ShadowRepository, journal: Journal, work: Performance): Promise<void> {
  const { subject, now, restorations, deadline } = work;
  const writer: Writer = { ...subject, undo: true };
  const declared = restorations.map(({ path }) => path);
  journal.add([newMark({ writer, attempt: 0, moment: 'start', declared }, now, null)]);
  // Those without files first: a folder above them may become empty with the last file that is removed from it.
  for (const folder of deepestFirst(work.folders)) await removeHollowFolder(repository.workspace, folder);
  await restore(repository, restorations, { deadline, mayRemoveFolder: (folder) => work.folders.has(folder) });
  const after = await snapshotNow(repository, deadline);
  journal.add([newMark({ writer, attempt: 0, moment: 'end', declared }, after, null)], [after.meta], after.state);
}

function chooseAction({ now, target }: Restoration): UndoAnswer['files'][number]['action'] {
  if (target === nothing) return 'removed';
  const [before, after] = [parseEntry(now), parseEntry(target)];
  return before?.kind === after?.kind && before?.oid === after?.oid ? 'mode' : 'restored';
}

/** Answers from the journal alone, where no server can be asked. */
function refuseWhileRunning(journal: Journal, { task, subtask }: WorkspaceSubject): void {
  const running = journal.open().filter((mark) => {
    const { writer } = mark;
    return !writer.undo && writer.task === task && (subtask === null || writer.subtask === subtask) && isOurs(mark);
  });
  if (running.length === 0) return;
  const names = running.map(({ writer }) => writer.subtask ?? task);
  throw new HeddleError({
    code: 'TASK_RUNNING',
    message: `${formatList(names)} of the task ${task} ${names.length === 1 ? 'is' : 'are'} still running`,
    hint: `Wait for it with \`heddle watch ${task}\`, or cancel the task first.`,
  });
}

/** Refuses while another task works in the folder, whose changes would be mixed with what is undone. Without a server the journal knows who runs. */
function refuseBusy(journal: Journal, { task }: WorkspaceSubject, { open, ended }: OtherTasks): void {
  const running = journal.open().filter((mark) => {
    const { writer } = mark;
    return !writer.undo && writer.task !== task && !ended.includes(writer.task) && isOurs(mark);
  });
  const [busy, ...others] = [...new Set([...open, ...running.map(({ writer }) => writer.task)])];
  if (busy === undefined) return;
  throw new HeddleError({
    code: 'WORKSPACE_BUSY',
    message: `${formatList([busy, ...others])} ${others.length === 0 ? 'works' : 'work'} in this folder`,
    hint: `Wait for it (\`heddle watch ${busy}\`) or cancel it; --force undoes all the same.`,
  });
}

function refuseUnseen({ unseen, marks }: Pick<History, 'unseen' | 'marks'>, subject: WorkspaceSubject): void {
  const { task, subtask } = subject;
  const own = unseen.filter((writer) => writer.task === task && (subtask === null || writer.subtask === subtask));
  if (own.length === 0) return;
  const [gap] = listGaps({ marks }, subject);
  throw new HeddleError({
    code: 'UNDO_NOT_COVERED',
    message: `No snapshot shows what the workspace was like before ${formatList(own.map((writer) => writer.subtask ?? task))}${gap === undefined ? '' : `: ${gap.reason}`}`,
    hint: '--force restores what later snapshots show; check the rest yourself.',
  });
}
