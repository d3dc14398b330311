import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { activityLimits } from '../../limits/activity-limits.ts';
import type { ChangedFile, TaskDiff } from '../../../domain/types/basic/workspace.ts';
import { gitMode, nothing, parseEntry, type EntryText } from '../git/entry.ts';
import { listGaps, type FoundPathHistory } from './find-path-histories.ts';
import { findHistoriesNow } from './find-histories-now.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';
import { checkStillThere, checkSubtask, explained, findTaskWorkspace } from '../snapshots/find-workspace.ts';
import { Journal } from '../snapshots/journal.ts';
import { showPath, type PathKey } from '../git/path-key.ts';
import { joinZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { SnapshotParts } from '../snapshots/snapshots.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';

export interface DiffOptions {
  /** The plan is known to have the subtask, whether or not it ran. */
  isInPlan?: boolean;
}

export interface DiffAnswer {
  diff: TaskDiff;
  /** A unified diff. */
  patch: Buffer;
}

/** Describes what a task, or a subtask of it, changed in its workspace; undefined when this machine knows nothing of it. */
export async function diffTask(
  parts: SnapshotParts,
  subject: WorkspaceSubject,
  options: DiffOptions = {},
): Promise<DiffAnswer | undefined> {
  const repository = findTaskWorkspace(parts, subject.task);
  if (repository === undefined) return undefined;
  checkStillThere(repository, subject.task);
  checkSubtask(repository.folder, subject, options.isInPlan === true);
  const deadline = performance.now() + activityLimits.workspace.commandTimeout;
  return explained(repository.workspace, () =>
    withWorkspaceLock(repository.folder, deadline, async () => {
      if (!repository.isThere) return nothingSeen(repository, subject);
      return diffNow(repository, subject, deadline);
    }),
  );
}

/** Git was never there: all that is known is what was not seen. */
function nothingSeen(repository: ShadowRepository, subject: WorkspaceSubject): DiffAnswer {
  const { marks, repositories } = Journal.with(repository.folder, undefined, (journal) => ({
    marks: journal.marks(),
    repositories: journal.repositories(subject.task, subject.subtask),
  }));
  return {
    diff: {
      ...about(repository, subject),
      files: [],
      gaps: listGaps({ marks }, subject),
      ...nothingElse,
      repositories,
    },
    patch: Buffer.alloc(0),
  };
}

const nothingElse = { outside: [], changedByOthers: [] };

const about = ({ workspace }: ShadowRepository, { task, subtask }: WorkspaceSubject) => ({
  taskId: task,
  subtask,
  workspace,
});

async function diffNow(repository: ShadowRepository, subject: WorkspaceSubject, deadline: number): Promise<DiffAnswer> {
  const histories = await findHistoriesNow(repository, subject, deadline);
  const { history, repositories, pathHistories, outside, changedByOthers } = histories;
  pathHistories.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { patch, counts } = await comparePaths(repository, pathHistories, deadline);
  const files = pathHistories.map((pathHistory) => describe(pathHistory, subject, counts.get(pathHistory.path)));
  const gaps = listGaps(history, subject);
  return { diff: { ...about(repository, subject), files, gaps, outside, changedByOthers, repositories }, patch };
}

function describe(pathHistory: FoundPathHistory, { task }: WorkspaceSubject, counts: Counts | undefined): ChangedFile {
  const own = pathHistory.by.filter((writer) => writer.task === task && !writer.undo);
  return {
    path: showPath(pathHistory.path),
    state: describeState(pathHistory.base, pathHistory.left),
    by: [...new Set(own.map(({ subtask }) => subtask ?? ''))],
    sure: pathHistory.unsure.length === 0 && pathHistory.foreign.length === 0,
    ...(counts ?? { binary: false, added: 0, removed: 0 }),
  };
}

function describeState(base: EntryText, left: EntryText): ChangedFile['state'] {
  if (base === nothing) return 'created';
  if (left === nothing) return 'deleted';
  const [before, after] = [parseEntry(base), parseEntry(left)];
  const sameBytes = before !== undefined && before.oid === after?.oid && before.kind === after.kind;
  return sameBytes ? 'mode' : 'modified';
}

type Counts = Pick<ChangedFile, 'binary' | 'added' | 'removed'>;

/** Two trees with nothing in them but what changed, for git to compare. */
async function comparePaths(
  repository: ShadowRepository,
  pathHistories: readonly FoundPathHistory[],
  deadline: number,
): Promise<{ patch: Buffer; counts: Map<PathKey, Counts> }> {
  const base = await writeTree(
    repository,
    pathHistories.map(({ path, base }) => [path, base] as const),
    deadline,
  );
  const left = await writeTree(
    repository,
    pathHistories.map(({ path, left }) => [path, left] as const),
    deadline,
  );
  const compare = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const { stdout: patch } = await repository.git([...compare, '-p', base, left], { deadline });
  const numbers = await repository.git([...compare, '--numstat', '-z', base, left], { deadline });
  return { patch, counts: parseCounts(numbers.stdout) };
}

async function writeTree(
  repository: ShadowRepository,
  entries: readonly (readonly [PathKey, EntryText])[],
  deadline: number,
): Promise<string> {
  const index = join(repository.gitDir, `diff-${randomBytes(6).toString('hex')}`);
  const lines = entries.flatMap(([path, text]) => {
    const entry = parseEntry(text);
    return entry === undefined ? [] : [`${gitMode(entry)} ${entry.oid}\t${path}`];
  });
  try {
    const env = { GIT_INDEX_FILE: index };
    const stdin = joinZero(lines);
    await repository.git(['update-index', '--add', '--replace', '-z', '--index-info'], { stdin, env, deadline });
    return (await repository.git(['write-tree'], { env, deadline })).stdout.toString('latin1').trim();
  } finally {
    await rm(index, { force: true });
  }
}

function parseCounts(output: Buffer): Map<PathKey, Counts> {
  const counts = new Map<PathKey, Counts>();
  for (const line of output.toString('latin1').split('\0')) {
    const [added = '', removed = '', ...path] = line.split('\t');
    if (path.length === 0) continue;
    const binary = added === '-';
    counts.set(path.join('\t'), { binary, added: binary ? 0 : Number(added), removed: binary ? 0 : Number(removed) });
  }
  return counts;
}
